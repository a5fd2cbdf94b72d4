# Looks for the spatial loops at the wrong level.
from itertools import product


def predict(workload, architecture, mapping):
    dram, gbuf, pe = mapping["levels"]
    pe_size = {d: 1 for d in workload["dimensions"]}
    for d, bound in pe["temporal"]:
        pe_size[d] *= bound
    gbuf_size = dict(pe_size)
    for d, bound in gbuf["temporal"] + gbuf["spatial"]:
        gbuf_size[d] *= bound

    answer = {"dram.words": 0, "gbuf.words": 0, "pe.words": 0, "pe.used": 1}
    for _, bound in dram["spatial"][0:1] or [pe["spatial"][0]]:
        answer["pe.used"] *= bound

    for tensor in workload["tensors"]:
        dims = [rank[0][0] for rank in tensor["ranks"]]
        gbuf_tile, pe_tile = block(gbuf_size, dims), block(pe_size, dims)
        answer["gbuf.words"] += gbuf_tile
        answer["pe.words"] += pe_tile
        for level, tile, moved in (("dram", gbuf_tile, walk(dram["temporal"], [], dims)),
                                   ("gbuf", pe_tile, walk(dram["temporal"] + gbuf["temporal"], gbuf["spatial"], dims))):
            arrivals, returns = moved
            reads = (returns if tensor["output"] else arrivals) * tile
            updates = arrivals * tile if tensor["output"] else 0
            answer[level + ".reads." + tensor["name"]] = reads
            if tensor["output"]:
                answer[level + ".updates." + tensor["name"]] = updates
            if level == "dram":
                answer["dram.words"] += reads + updates
    return answer


def block(size, dims):
    words = 1
    for d in dims:
        words *= size[d]
    return words


def walk(temporal, spatial, dims):
    """(arrivals, arrivals of a tile seen before), a tile shared by several children counted once."""
    arrivals, returns, seen = 0, 0, set()
    places = sorted({own(place, spatial, dims) for place in product(*(range(b) for _, b in spatial))})
    previous = None
    for step in product(*(range(b) for _, b in temporal)):
        tile = own(step, temporal, dims)
        if tile == previous:
            continue
        for place in places:
            arrivals += 1
            returns += (tile, place) in seen
            seen.add((tile, place))
        previous = tile
    return arrivals, returns


def own(indices, loops, dims):
    return tuple(i for i, (d, _) in zip(indices, loops) if d in dims)
