-- L04: a replacement that scans to the end of the text from every byte.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  pcall(string.gsub, string.rep("a", 200000), ".-b", "")
  return honest(workload, mapping)
end
