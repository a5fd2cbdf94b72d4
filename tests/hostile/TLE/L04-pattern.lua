-- L04: a pattern with exponential backtracking.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  local text = string.rep("a", 60)
  string.find(text, string.rep("a-", 30) .. string.rep("a*", 30) .. "b")
  return honest(workload, mapping)
end
