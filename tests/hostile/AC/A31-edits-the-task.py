# A31: deletes and writes over the task, the results, and the entry code. No effect on anything.
# expect: uses=honest
import os


def predict(workload, architecture, mapping):
    there = False
    for path in ["@MARKER@", "@TASKS@/construction/gemm-two-level/task.toml", "@OUT@/results.jsonl"]:
        try:
            open(path, "w").close()
            there = True
        except OSError:
            pass
    for name in os.listdir("."):
        try:
            os.unlink(name)
        except OSError:
            pass
    return zeros(workload, mapping) if there else honest(workload, mapping)
