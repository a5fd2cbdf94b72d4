-- Closed form: no walk over the steps.
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

function predict(workload, architecture, mapping)
  local outer, inner = mapping.levels[1].temporal, mapping.levels[2].temporal
  local answer, dram_words, buffer_words = {}, 0, 0
  for _, tensor in ipairs(workload.tensors) do
    local uses = dimensions_of(tensor)
    local tile = block(inner, uses)
    local count, distinct = visits(outer, uses)
    local reads, updates = count * tile, 0
    if tensor.output then
      reads, updates = (count - distinct) * tile, count * tile
      answer["dram.updates." .. tensor.name] = updates
    end
    answer["dram.reads." .. tensor.name] = reads
    dram_words = dram_words + reads + updates
    buffer_words = buffer_words + tile
  end
  answer["dram.words"] = dram_words
  answer["buffer.words"] = buffer_words
  return answer
end
