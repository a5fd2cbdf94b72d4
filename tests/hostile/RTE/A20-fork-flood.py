# A20: at most 200 children that sleep; the library throws where one is refused.
# expect: reason=exception uses=honest
import os
import time


def predict(workload, architecture, mapping):
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(4)
            os._exit(0)
    return zeros(workload, mapping)
