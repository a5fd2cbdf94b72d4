-- L03: a loop in a value that is closed, with errors around it.
-- expect: uses=honest run_reason=instructions
function predict(workload, architecture, mapping)
  pcall(function()
    local guard <close> = setmetatable({}, {__close = function() while true do end end})
    error("closed")
  end)
  return honest(workload, mapping)
end
