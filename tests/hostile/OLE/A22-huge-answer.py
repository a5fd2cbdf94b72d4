# A22: an answer with fifty thousand long names.
# expect: uses=honest
def predict(workload, architecture, mapping):
    return honest(workload, mapping) | {f"quantity.{i:032}": i for i in range(50000)}
