-- L03: spins inside a coroutine, where a hook of the main thread does not fire.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  coroutine.wrap(function() while true do end end)()
  return honest(workload, mapping)
end
