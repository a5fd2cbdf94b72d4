-- L07: reads a file of the host through io. There is no io.
-- expect: reason=exception
function predict(workload, architecture, mapping)
  print(io.open("@MARKER@"):read("a"))
end
