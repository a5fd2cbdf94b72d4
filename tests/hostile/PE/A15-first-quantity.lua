-- A15: gives only the first quantity, rightly.
-- expect: reason=missing_key uses=honest
function predict(workload, architecture, mapping)
  return {["dram.words"] = honest(workload, mapping)["dram.words"]}
end
