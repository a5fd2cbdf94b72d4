# A01: leaves with a status of its own.
# expect: reason=exit_code
import os


def predict(workload, architecture, mapping):
    os._exit(7)
