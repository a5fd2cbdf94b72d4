-- L06: a finaliser prints a record when the interpreter is closed. Standard output is not read.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  kept = setmetatable({}, {__gc = function() print('{"answer":{"dram.words":1}}') end})
  return honest(workload, mapping)
end
