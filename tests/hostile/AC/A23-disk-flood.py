# A23: files of 100 MB in all. What is refused ends nothing; the answer is right.
# expect: uses=honest
def predict(workload, architecture, mapping):
    block = b"x" * (1 << 20)
    for i in range(10):
        try:
            with open(f"f{i}", "wb") as file:
                for _ in range(10):
                    file.write(block)
        except OSError:
            break
    return honest(workload, mapping)
