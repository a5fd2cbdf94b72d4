# A17: defines no predict at all.
# expect: reason=exception
def predicted(workload, architecture, mapping):
    return {}
