# Right answer to gemm-two-level. The driver puts this text in front of attacks that say `uses=honest`.
# Not a submission by itself.


def honest(workload, mapping):
    answer = {}
    dram_words = buffer_words = 0
    for tensor in workload["tensors"]:
        names = {term[0] for rank in tensor["ranks"] for term in rank}
        tile = visits = so_far = distinct = 1
        for name, bound in mapping["levels"][1]["temporal"]:
            if name in names:
                tile *= bound
        for name, bound in mapping["levels"][0]["temporal"]:
            so_far *= bound
            if bound > 1 and name in names:
                visits = so_far
                distinct *= bound
        reads = (visits - distinct) * tile if tensor["output"] else visits * tile
        answer["dram.reads." + tensor["name"]] = reads
        dram_words += reads
        if tensor["output"]:
            answer["dram.updates." + tensor["name"]] = visits * tile
            dram_words += visits * tile
        buffer_words += tile
    answer["dram.words"] = dram_words
    answer["buffer.words"] = buffer_words
    return answer


def zeros(workload, mapping):
    return {name: 0 for name in honest(workload, mapping)}
