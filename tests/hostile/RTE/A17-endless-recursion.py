# A17: recursion without an end.
# expect: reason=exception|signal
def predict(workload, architecture, mapping):
    return predict(mapping, workload, architecture)
