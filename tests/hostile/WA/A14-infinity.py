# A14: infinities of both signs.
# expect: reason=non_finite uses=honest
def predict(workload, architecture, mapping):
    names = sorted(zeros(workload, mapping))
    return {name: float("inf") if i % 2 else float("-inf") for i, name in enumerate(names)}
