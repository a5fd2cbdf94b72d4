# Forgets that the units work on L2 where L1 does not keep a tensor.
from itertools import product


def predict(workload, architecture, mapping):
    levels = mapping["levels"]
    operations = 1
    for level in levels:
        for _, bound in level["temporal"]:
            operations *= bound

    answer = {"dram.words": 0, "l2.words": 0, "l1.words": 0, "l2.reads": 0}
    for tensor in workload["tensors"]:
        name, dims = tensor["name"], [rank[0][0] for rank in tensor["ranks"]]
        chain = [i for i in range(3) if name in levels[i]["keep"]]
        reads, updates = [0, 0, 0], [0, 0, 0]
        for parent, child in zip(chain, chain[1:]):
            words = tile_words(levels, child, dims)
            answer[("dram", "l2", "l1")[child] + ".words"] += words
            arrivals, returns = walk([loop for level in levels[:child] for loop in level["temporal"]], dims)
            reads[parent] = (returns if tensor["output"] else arrivals) * words
            updates[parent] = arrivals * words if tensor["output"] else 0
        last = chain[-1]
        if tensor["output"]:
            updates[last] += 0
            answer["dram.updates." + name] = updates[0]
            answer["l2.updates." + name] = updates[1]
        else:
            reads[last] += 0
        answer["dram.reads." + name] = reads[0]
        answer["dram.words"] += reads[0] + updates[0]
        answer["l2.reads"] += reads[1]
    return answer


def tile_words(levels, level, dims):
    words = 1
    for inner in levels[level:]:
        for d, bound in inner["temporal"]:
            if d in dims:
                words *= bound
    return words


def walk(loops, dims):
    arrivals, returns, previous, seen = 0, 0, None, set()
    for step in product(*(range(bound) for _, bound in loops)):
        tile = tuple(i for i, (d, _) in zip(step, loops) if d in dims)
        if tile != previous:
            arrivals += 1
            returns += tile in seen
            seen.add(tile)
            previous = tile
    return arrivals, returns
