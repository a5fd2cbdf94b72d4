-- A16: everything right, and one quantity too many.
-- expect: reason=extra_key uses=honest
function predict(workload, architecture, mapping)
  local answer = honest(workload, mapping)
  answer["dram.words\0"] = answer["dram.words"]
  return answer
end
