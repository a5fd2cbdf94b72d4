# A01: leaves with status 0 while its file is being read.
# expect: reason=no_answer
import os

os._exit(0)


def predict(workload, architecture, mapping):
    return {}
