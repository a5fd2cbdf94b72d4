# A14: the right numbers, plus half a word.
# expect: reason=not_integer uses=honest
def predict(workload, architecture, mapping):
    return {name: value + 0.5 for name, value in honest(workload, mapping).items()}
