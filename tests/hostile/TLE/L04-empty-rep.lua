-- L04: an endless number of repeats of nothing.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  string.rep("", math.maxinteger)
  return honest(workload, mapping)
end
