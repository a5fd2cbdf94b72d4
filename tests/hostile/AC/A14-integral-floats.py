# A14: the right numbers as floats with an integral value: they count as those integers.
# expect: uses=honest
def predict(workload, architecture, mapping):
    return {name: float(value) for name, value in honest(workload, mapping).items()}
