-- L04: the compiler works, the program does not.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  local text = string.rep("x = 1 ", 10000)
  while true do load(text) end
  return honest(workload, mapping)
end
