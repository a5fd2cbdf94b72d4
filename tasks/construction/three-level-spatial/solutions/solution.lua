-- Closed form: no walk over steps or processing elements.
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

local function joined(a, b)
  local loops = {}
  for _, loop in ipairs(a) do loops[#loops + 1] = loop end
  for _, loop in ipairs(b) do loops[#loops + 1] = loop end
  return loops
end

-- Words read and updated at a level for one tensor, given its children's tile and how many different ones
-- there are at one step.
local function traffic(tensor, loops, uses, words)
  local count, distinct = visits(loops, uses)
  if tensor.output then return (count - distinct) * words, count * words end
  return count * words, 0
end

function predict(workload, architecture, mapping)
  local dram, gbuf, pe = mapping.levels[1], mapping.levels[2], mapping.levels[3]
  local answer = {["dram.words"] = 0, ["gbuf.words"] = 0, ["pe.words"] = 0, ["pe.used"] = 1}
  for _, loop in ipairs(gbuf.spatial) do answer["pe.used"] = answer["pe.used"] * loop[2] end
  for _, tensor in ipairs(workload.tensors) do
    local uses = dimensions_of(tensor)
    local pe_tile = block(pe.temporal, uses)
    local shared = block(gbuf.spatial, uses) * pe_tile
    local gbuf_tile = block(gbuf.temporal, uses) * shared
    answer["gbuf.words"] = answer["gbuf.words"] + gbuf_tile
    answer["pe.words"] = answer["pe.words"] + pe_tile

    local dram_reads, dram_updates = traffic(tensor, dram.temporal, uses, gbuf_tile)
    local gbuf_reads, gbuf_updates = traffic(tensor, joined(dram.temporal, gbuf.temporal), uses, shared)
    answer["dram.reads." .. tensor.name] = dram_reads
    answer["gbuf.reads." .. tensor.name] = gbuf_reads
    if tensor.output then
      answer["dram.updates." .. tensor.name] = dram_updates
      answer["gbuf.updates." .. tensor.name] = gbuf_updates
    end
    answer["dram.words"] = answer["dram.words"] + dram_reads + dram_updates
  end
  return answer
end
