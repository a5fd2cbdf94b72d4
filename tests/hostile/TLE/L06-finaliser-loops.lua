-- L06: finalisers, which Lua would run without counting instructions. They never run here: the
-- allocations end it.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  while true do setmetatable({}, {__gc = function() while true do end end}) end
  return honest(workload, mapping)
end
