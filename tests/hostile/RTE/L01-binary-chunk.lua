-- L01: loads a binary chunk, which could break the interpreter. Text only.
-- expect: reason=exception uses=honest
function predict(workload, architecture, mapping)
  local chunk = assert(load("\27Lua\x54\0\x19\x93\r\n\x1a\n\4\8\8" .. string.rep("\0", 64)))
  chunk()
  return zeros(workload, mapping)
end
