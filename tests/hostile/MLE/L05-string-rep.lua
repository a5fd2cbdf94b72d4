-- L05: strings up to the memory limit, 2 GiB at most.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local kept = {}
  for i = 1, 32 do kept[i] = string.rep("x", (64 << 20) + i) end
  return zeros(workload, mapping)
end
