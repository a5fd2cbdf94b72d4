# A01: leaves with status 0 before any answer was given.
# expect: reason=no_answer
import os


def predict(workload, architecture, mapping):
    os._exit(0)
