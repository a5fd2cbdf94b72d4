-- L02: an answer whose keys exist only behind a metatable. Raw access finds nothing.
-- expect: reason=missing_key uses=honest
function predict(workload, architecture, mapping)
  local answer, copy = honest(workload, mapping), {}
  return setmetatable({}, {
    __index = answer,
    __pairs = function() return next, answer, nil end,
    __len = function() return 6 end,
  })
end
