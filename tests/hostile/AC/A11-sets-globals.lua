-- A11: leaves globals and a metatable for later cases and answers wrongly once it meets them.
-- expect: uses=honest
function predict(workload, architecture, mapping)
  local met = rawget(_G, "hostile_marker") or getmetatable(_G) ~= nil or string.hostile_marker
  rawset(_G, "hostile_marker", true)
  string.hostile_marker = true
  if met then return zeros(workload, mapping) end
  return honest(workload, mapping)
end
