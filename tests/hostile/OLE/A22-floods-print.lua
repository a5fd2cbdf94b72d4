-- A22: 100 MB through print, then a right answer.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local block = string.rep("x", 1 << 20)
  for _ = 1, 100 do print(block) end
  return honest(workload, mapping)
end
