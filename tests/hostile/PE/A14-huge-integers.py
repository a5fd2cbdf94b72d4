# A14: whole numbers that are 2^64 and 2^4000 too large: nothing may wrap around to a right one.
# expect: reason=unreadable uses=honest
def predict(workload, architecture, mapping):
    answer = honest(workload, mapping)
    return {name: value + (1 << (64 if i % 2 else 4000)) for i, (name, value) in enumerate(answer.items())}
