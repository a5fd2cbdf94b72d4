-- Right answer to gemm-two-level. The driver puts this text in front of attacks that say `uses=honest`.
-- Not a submission by itself.
local function honest(workload, mapping)
  local answer, dram_words, buffer_words = {}, 0, 0
  for _, tensor in ipairs(workload.tensors) do
    local used = {}
    for _, rank in ipairs(tensor.ranks) do
      for _, term in ipairs(rank) do used[term[1]] = true end
    end
    local tile, visits, so_far, distinct = 1, 1, 1, 1
    for _, loop in ipairs(mapping.levels[2].temporal) do
      if used[loop[1]] then tile = tile * loop[2] end
    end
    for _, loop in ipairs(mapping.levels[1].temporal) do
      so_far = so_far * loop[2]
      if loop[2] > 1 and used[loop[1]] then
        visits = so_far
        distinct = distinct * loop[2]
      end
    end
    local reads = tensor.output and (visits - distinct) * tile or visits * tile
    answer["dram.reads." .. tensor.name] = reads
    dram_words = dram_words + reads
    if tensor.output then
      answer["dram.updates." .. tensor.name] = visits * tile
      dram_words = dram_words + visits * tile
    end
    buffer_words = buffer_words + tile
  end
  answer["dram.words"] = dram_words
  answer["buffer.words"] = buffer_words
  return answer
end

local function zeros(workload, mapping)
  local answer = {}
  for name in pairs(honest(workload, mapping)) do answer[name] = 0 end
  return answer
end
