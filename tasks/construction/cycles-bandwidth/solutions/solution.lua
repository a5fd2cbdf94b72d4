-- Closed form of the traffic, then the bandwidths.
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

-- Bandwidths are multiples of 1/4: four times one is a whole number, and so is the division.
local function cycles(words, bandwidth)
  if bandwidth == nil then return 0 end
  local quarters = math.tointeger(bandwidth * 4)
  return (4 * words + quarters - 1) // quarters
end

function predict(workload, architecture, mapping)
  local outer, inner = mapping.levels[1].temporal, mapping.levels[2].temporal
  local operations = 1
  for _, loop in ipairs(outer) do operations = operations * loop[2] end
  for _, loop in ipairs(inner) do operations = operations * loop[2] end

  local dram_reads, dram_updates, buffer_reads = 0, 0, 0
  for _, tensor in ipairs(workload.tensors) do
    local uses = dimensions_of(tensor)
    local tile = block(inner, uses)
    local count, distinct = visits(outer, uses)
    if tensor.output then
      dram_reads = dram_reads + (count - distinct) * tile
      dram_updates = dram_updates + count * tile
      buffer_reads = buffer_reads + operations - distinct * tile
    else
      dram_reads = dram_reads + count * tile
      buffer_reads = buffer_reads + operations
    end
  end

  local dram, buffer = architecture.levels[1], architecture.levels[2]
  local at_dram = math.max(operations, cycles(dram_reads, dram.read_bandwidth),
                           cycles(dram_updates, dram.write_bandwidth))
  local at_buffer = math.max(operations, cycles(buffer_reads, buffer.read_bandwidth),
                             cycles(operations + dram_reads, buffer.write_bandwidth))
  return {
    ["cycles"] = math.max(at_dram, at_buffer),
    ["cycles.dram"] = at_dram,
    ["cycles.buffer"] = at_buffer,
    ["dram.words"] = dram_reads + dram_updates,
  }
end
