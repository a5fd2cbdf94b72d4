-- L07: loads a module. There is no require.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  return require("socket")
end
