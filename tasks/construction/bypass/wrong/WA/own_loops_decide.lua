-- Moves into L1 are counted from the loops of L2 alone.
-- Tile changes under a nest: the product of the bounds from the outermost loop down to the innermost one that
-- moves the tile. Loops of bound 1 move nothing.
local function visits(loops, uses)
  local all, count, distinct = 1, 1, 1
  for _, loop in ipairs(loops) do
    local dimension, bound = loop[1], loop[2]
    if bound > 1 then
      all = all * bound
      if uses[dimension] then
        count = all
        distinct = distinct * bound
      end
    end
  end
  return count, distinct
end

local function dimensions_of(tensor)
  local uses = {}
  for _, rank in ipairs(tensor.ranks) do uses[rank[1][1]] = true end
  return uses
end

-- Words of a tensor's block that these loops touch.
local function block(loops, uses)
  local words = 1
  for _, loop in ipairs(loops) do
    if uses[loop[1]] then words = words * loop[2] end
  end
  return words
end

local NAMES = {"dram", "l2", "l1"}

local function keeps(level, name)
  for _, kept in ipairs(level.keep) do
    if kept == name then return true end
  end
  return false
end

-- Temporal loops of the levels first..last, in nest order.
local function nest(levels, first, last)
  local loops = {}
  for i = first, last do
    for _, loop in ipairs(levels[i].temporal) do loops[#loops + 1] = loop end
  end
  return loops
end

-- Reads and updates of one tensor at each level; adds its tiles to the answer.
local function traffic(tensor, levels, operations, answer)
  local uses = dimensions_of(tensor)
  local whole = block(nest(levels, 1, 3), uses)
  local moved, keeper = {}, 1
  for i = 2, 3 do
    if keeps(levels[i], tensor.name) then
      local tile = block(nest(levels, i, 3), uses)
      answer[NAMES[i] .. ".words"] = answer[NAMES[i] .. ".words"] + tile
      moved[keeper] = visits(nest(levels, i - 1, i - 1), uses) * tile
      keeper = i
    end
  end
  moved[keeper] = operations
  local reads, updates = {}, {}
  for i = 1, 3 do
    local words = moved[i] or 0
    updates[i] = tensor.output and words or 0
    reads[i] = words
    if tensor.output and words > 0 then reads[i] = words - whole end
  end
  return reads, updates
end

function predict(workload, architecture, mapping)
  local levels = mapping.levels
  local operations = 1
  for _, loop in ipairs(nest(levels, 1, 3)) do operations = operations * loop[2] end
  local answer = {["dram.words"] = 0, ["l2.words"] = 0, ["l1.words"] = 0, ["l2.reads"] = 0}
  for _, tensor in ipairs(workload.tensors) do
    local reads, updates = traffic(tensor, levels, operations, answer)
    answer["dram.reads." .. tensor.name] = reads[1]
    answer["dram.words"] = answer["dram.words"] + reads[1] + updates[1]
    answer["l2.reads"] = answer["l2.reads"] + reads[2]
    if tensor.output then
      answer["dram.updates." .. tensor.name] = updates[1]
      answer["l2.updates." .. tensor.name] = updates[2]
    end
  end
  return answer
end
