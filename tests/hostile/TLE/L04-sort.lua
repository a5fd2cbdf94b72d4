-- L04: the sort of a long array, again and again: almost no instruction of its own.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  local list = {}
  for i = 1, 300000 do list[i] = -i end
  while true do
    table.sort(list)
    table.sort(list, nil)
  end
  return honest(workload, mapping)
end
