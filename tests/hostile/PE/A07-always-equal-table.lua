-- A07: tables that say they equal everything, but are no numbers.
-- expect: reason=unreadable|no_answer uses=honest
function predict(workload, architecture, mapping)
  local any = setmetatable({}, {__eq = function() return true end, __tostring = function() return "1" end})
  local answer = zeros(workload, mapping)
  for name in pairs(answer) do answer[name] = any end
  return answer
end
