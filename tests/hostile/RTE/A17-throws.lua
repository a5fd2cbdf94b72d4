-- A17: throws a table whose text throws as well.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  error(setmetatable({}, {__tostring = function() error("no text") end}))
end
