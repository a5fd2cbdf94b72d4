-- A30: empties its input after it has computed the answer. The input was its own copy.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local answer = honest(workload, mapping)
  for _, part in ipairs({workload, architecture, mapping}) do
    for key in pairs(part) do part[key] = nil end
  end
  return answer
end
