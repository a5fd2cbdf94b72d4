# Takes the last tensor of the list for the output.
from itertools import product


def predict(workload, architecture, mapping):
    outer = mapping["levels"][0]["temporal"]
    inside = {d: 1 for d in workload["dimensions"]}
    for d, bound in mapping["levels"][1]["temporal"]:
        inside[d] *= bound

    answer = {"dram.words": 0, "buffer.words": 0}
    for position, tensor in enumerate(workload["tensors"]):
        output = position == len(workload["tensors"]) - 1
        dims = [rank[0][0] for rank in tensor["ranks"]]
        tile_words = 1
        for d in dims:
            tile_words *= inside[d]
        answer["buffer.words"] += tile_words

        arrivals, returns, previous, seen = 0, 0, None, set()
        for step in product(*(range(bound) for _, bound in outer)):
            tile = tuple(i for i, (d, _) in zip(step, outer) if d in dims)
            if tile != previous:
                arrivals += 1
                returns += tile in seen
                seen.add(tile)
                previous = tile

        reads = returns if output else arrivals
        answer["dram.reads." + tensor["name"]] = reads * tile_words
        answer["dram.words"] += reads * tile_words
        if output:
            answer["dram.updates." + tensor["name"]] = arrivals * tile_words
            answer["dram.words"] += arrivals * tile_words
    answer["buffer.fits"] = int(answer["buffer.words"] <= architecture["levels"][1]["capacity_words"])
    return answer
