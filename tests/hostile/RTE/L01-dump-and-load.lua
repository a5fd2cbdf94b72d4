-- L01: makes a binary chunk of a function of its own and loads it. Text only.
-- expect: reason=exception uses=honest
function predict(workload, architecture, mapping)
  local text = string.dump(function() return 1 end)
  assert(load(text, "chunk", "b"))()
  return zeros(workload, mapping)
end
