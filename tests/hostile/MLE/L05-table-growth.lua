-- L05: a table that grows up to the memory limit, and would hide the refusal.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local kept = {}
  pcall(function() for i = 1, 128 << 20 do kept[i] = i end end)
  return zeros(workload, mapping)
end
