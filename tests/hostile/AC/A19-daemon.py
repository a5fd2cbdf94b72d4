# A19: a grandchild in a session of its own sleeps on; the parent answers rightly.
# expect: run_flags=leftover_processes uses=honest
import os
import time


def predict(workload, architecture, mapping):
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(4)
        os._exit(0)
    os.waitpid(child, 0)
    return honest(workload, mapping)
