-- A14: the right numbers as floats with an integral value: they count as those integers.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local answer = honest(workload, mapping)
  for name, value in pairs(answer) do answer[name] = value * 1.0 end
  return answer
end
