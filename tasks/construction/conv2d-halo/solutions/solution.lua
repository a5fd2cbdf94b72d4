-- Sums over the kinds of move: when loop j advances, all loops inside it go back to their start, and this
-- happens (bound - 1) times for every combination of the loops outside. Each kind has one shift.

local function sizes(workload, loops)
  local inside = {}
  for dimension in pairs(workload.dimensions) do inside[dimension] = 1 end
  for _, loop in ipairs(loops) do inside[loop[1]] = inside[loop[1]] * loop[2] end
  return inside
end

-- {count, shift of every dimension} for every DRAM loop.
local function kinds_of_move(outer, inside)
  local reach, jumps = {}, {}
  for dimension, size in pairs(inside) do reach[dimension] = size end
  for i = #outer, 1, -1 do
    local dimension, bound = outer[i][1], outer[i][2]
    jumps[i] = reach[dimension]
    reach[dimension] = reach[dimension] * bound
  end
  local moves, outside = {}, 1
  for j, loop in ipairs(outer) do
    local shift = {}
    for dimension in pairs(inside) do shift[dimension] = 0 end
    shift[loop[1]] = jumps[j]
    for i = j + 1, #outer do
      local dimension = outer[i][1]
      shift[dimension] = shift[dimension] - (outer[i][2] - 1) * jumps[i]
    end
    moves[j] = {count = outside * (loop[2] - 1), shift = shift}
    outside = outside * loop[2]
  end
  return moves
end

local function length_of(rank, inside)
  local length = 1
  for _, term in ipairs(rank) do length = length + term[2] * (inside[term[1]] - 1) end
  return length
end

-- Words that two boxes of these lengths have in common after a shift, and whether the box moved at all.
local function overlap(tensor, inside, shift)
  local common, moved = 1, false
  for _, rank in ipairs(tensor.ranks) do
    local distance = 0
    for _, term in ipairs(rank) do distance = distance + term[2] * shift[term[1]] end
    moved = moved or distance ~= 0
    common = common * math.max(0, length_of(rank, inside) - math.abs(distance))
  end
  return common, moved
end

local function distinct_tiles(tensor, outer)
  local distinct = 1
  for _, loop in ipairs(outer) do
    for _, rank in ipairs(tensor.ranks) do
      if rank[1][1] == loop[1] then distinct = distinct * loop[2] end
    end
  end
  return distinct
end

function predict(workload, architecture, mapping)
  local outer = mapping.levels[1].temporal
  local inside = sizes(workload, mapping.levels[2].temporal)
  local moves = kinds_of_move(outer, inside)
  local answer, dram_words, buffer_words = {}, 0, 0
  for _, tensor in ipairs(workload.tensors) do
    local words = 1
    for _, rank in ipairs(tensor.ranks) do words = words * length_of(rank, inside) end
    local new, visits = words, 1
    for _, move in ipairs(moves) do
      local common, moved = overlap(tensor, inside, move.shift)
      if moved then
        new = new + move.count * (words - common)
        visits = visits + move.count
      end
    end
    local reads, updates = new, 0
    if tensor.output then
      updates = visits * words
      reads = updates - distinct_tiles(tensor, outer) * words
      answer["dram.updates." .. tensor.name] = updates
    end
    answer["dram.reads." .. tensor.name] = reads
    dram_words = dram_words + reads + updates
    buffer_words = buffer_words + words
  end
  answer["dram.words"] = dram_words
  answer["buffer.words"] = buffer_words
  return answer
end
