-- L03: swallows every budget error in a loop.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  while true do
    pcall(function() while true do end end)
  end
end
