# A21: touches page after page, 2 GiB at most, and would hide the refusal.
# expect: uses=honest
def predict(workload, architecture, mapping):
    blocks = []
    for i in range(128):
        try:
            blocks.append(bytearray(b"x") * (16 << 20))
        except MemoryError:
            pass
    return zeros(workload, mapping)
