-- A14: infinity, for every quantity.
-- expect: reason=non_finite uses=honest
function predict(workload, architecture, mapping)
  local answer = zeros(workload, mapping)
  for name in pairs(answer) do answer[name] = 1 / 0 end
  return answer
end
