# A22: an answer with a million names.
# expect: uses=honest
def predict(workload, architecture, mapping):
    return honest(workload, mapping) | {f"quantity.{i}": i for i in range(400000)}
