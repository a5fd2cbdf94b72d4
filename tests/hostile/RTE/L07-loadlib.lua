-- L07: loads a library. There is no package.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  return package.loadlib("libc.so.6", "system")
end
