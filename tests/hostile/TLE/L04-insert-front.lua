-- L04: every insertion moves the whole array.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  local list = {}
  while true do table.insert(list, 1, 0) end
  return honest(workload, mapping)
end
