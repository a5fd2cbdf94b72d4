-- L02: rewrites the metatable of strings and of _G. The harness reads raw values.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local answer = honest(workload, mapping)
  getmetatable("").__index = function() return function() return "forged" end end
  getmetatable("").__name = "forged"
  setmetatable(_G, {__index = function() return 0 end, __newindex = function() end})
  pairs, next, type, tostring, rawget = nil, nil, nil, nil, nil
  return answer
end
