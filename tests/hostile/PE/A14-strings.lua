-- A14: the right numbers, as strings.
-- expect: reason=unreadable uses=honest
function predict(workload, architecture, mapping)
  local answer = honest(workload, mapping)
  for name, value in pairs(answer) do answer[name] = tostring(value) end
  return answer
end
