-- L03: coroutines that end before their own count of instructions is looked at.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  while true do coroutine.wrap(function() for _ = 1, 900 do end end)() end
  return honest(workload, mapping)
end
