# A14: not a number, for every quantity.
# expect: reason=non_finite uses=honest
def predict(workload, architecture, mapping):
    return {name: float("nan") for name in zeros(workload, mapping)}
