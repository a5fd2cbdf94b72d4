# A01: leaves politely with status 0 before any answer was given.
# expect: reason=no_answer
import sys


def predict(workload, architecture, mapping):
    sys.exit(0)
