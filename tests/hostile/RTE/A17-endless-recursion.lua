-- A17: recursion without an end.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  return 1 + predict(workload, architecture, mapping)
end
