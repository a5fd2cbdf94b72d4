-- L07: leaves through os.exit. There is no os.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  os.exit(0)
end
