# Takes output boxes back without reading them.
from itertools import product


def predict(workload, architecture, mapping):
    outer = mapping["levels"][0]["temporal"]
    inside = {d: 1 for d in workload["dimensions"]}
    for d, bound in mapping["levels"][1]["temporal"]:
        inside[d] *= bound

    # How far one step of each DRAM loop moves its dimension.
    jumps, reach = [], dict(inside)
    for d, bound in reversed(outer):
        jumps.insert(0, reach[d])
        reach[d] *= bound

    answer = {"dram.words": 0, "buffer.words": 0}
    for tensor in workload["tensors"]:
        ranks = tensor["ranks"]
        lengths = [1 + sum(c * (inside[d] - 1) for d, c in rank) for rank in ranks]
        words = volume(lengths)
        moves = [[sum(c for dim, c in rank if dim == d) * jump for (d, _), jump in zip(outer, jumps)]
                 for rank in ranks]

        new, visits, returns, previous, seen = 0, 0, 0, None, set()
        for step in product(*(range(bound) for _, bound in outer)):
            box = tuple(sum(m * i for m, i in zip(move, step)) for move in moves)
            if box == previous:
                continue
            common = 0
            if previous is not None:
                common = volume([max(0, length - abs(a - b)) for length, a, b in zip(lengths, box, previous)])
            new += words - common
            visits += 1
            returns += box in seen
            seen.add(box)
            previous = box

        answer["buffer.words"] += words
        name = tensor["name"]
        if tensor["output"]:
            answer["dram.reads." + name] = 0
            answer["dram.updates." + name] = visits * words
            answer["dram.words"] += visits * words
        else:
            answer["dram.reads." + name] = new
            answer["dram.words"] += new
    return answer


def volume(lengths):
    words = 1
    for length in lengths:
        words *= length
    return words
