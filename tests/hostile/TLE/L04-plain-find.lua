-- L04: a plain search that compares half of the text at every byte.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  while true do string.find(string.rep("a", 100000), string.rep("a", 50000) .. "b", 1, true) end
  return honest(workload, mapping)
end
