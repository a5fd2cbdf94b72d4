# Divides by a bandwidth that may be null.
from fractions import Fraction
from itertools import product
from math import ceil


def predict(workload, architecture, mapping):
    outer, inner = mapping["levels"][0]["temporal"], mapping["levels"][1]["temporal"]
    operations = 1
    inside = {d: 1 for d in workload["dimensions"]}
    for d, bound in inner:
        inside[d] *= bound
        operations *= bound
    for _, bound in outer:
        operations *= bound

    dram_reads, dram_updates, buffer_reads = 0, 0, 0
    for tensor in workload["tensors"]:
        dims = [rank[0][0] for rank in tensor["ranks"]]
        tile_words, all_words = 1, 1
        for d in dims:
            tile_words *= inside[d]
            all_words *= workload["dimensions"][d]
        arrivals, returns = walk(outer, dims)
        if tensor["output"]:
            dram_reads += returns * tile_words
            dram_updates += arrivals * tile_words
            buffer_reads += operations - all_words
        else:
            dram_reads += arrivals * tile_words
            buffer_reads += operations

    dram, buffer = architecture["levels"]
    at_dram = max(operations, cycles(dram_reads, dram["read_bandwidth"]),
                  cycles(dram_updates, dram["write_bandwidth"]))
    at_buffer = max(operations, cycles(buffer_reads, buffer["read_bandwidth"]),
                    cycles(operations + dram_reads, buffer["write_bandwidth"]))
    return {"cycles": max(at_dram, at_buffer), "cycles.dram": at_dram, "cycles.buffer": at_buffer,
            "dram.words": dram_reads + dram_updates}


def cycles(words, bandwidth):
    return ceil(words / Fraction(bandwidth))


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
