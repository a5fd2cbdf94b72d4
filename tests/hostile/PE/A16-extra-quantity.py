# A16: everything right, and one quantity too many.
# expect: reason=extra_key uses=honest
def predict(workload, architecture, mapping):
    return honest(workload, mapping) | {"dram.words ": 1}
