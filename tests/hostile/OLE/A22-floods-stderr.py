# A22: 100 MB on the error stream, then a right answer.
# expect: uses=honest
import sys


def predict(workload, architecture, mapping):
    for _ in range(100):
        sys.stderr.write("x" * (1 << 20))
    return honest(workload, mapping)
