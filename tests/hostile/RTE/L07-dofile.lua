-- L07: runs a file of the host. There is no dofile and no loadfile.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  return (dofile or loadfile)("@MARKER@")
end
