-- L07: walks the stack through debug. There is no debug.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  return debug.getinfo(2)
end
