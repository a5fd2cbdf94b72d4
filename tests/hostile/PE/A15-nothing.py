# A15: returns nothing.
# expect: reason=missing_key|unreadable|no_answer
def predict(workload, architecture, mapping):
    return None
