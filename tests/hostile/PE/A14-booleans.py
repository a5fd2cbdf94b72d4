# A14: truth values where numbers are due.
# expect: reason=unreadable uses=honest
def predict(workload, architecture, mapping):
    return {name: True for name in zeros(workload, mapping)}
