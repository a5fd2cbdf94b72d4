# A30: empties its input after it has computed the answer. The input was its own copy.
# expect: uses=honest
def predict(workload, architecture, mapping):
    answer = honest(workload, mapping)
    for part in (workload, architecture, mapping):
        part.clear()
    return answer
