# P03: leaves threads behind that would go on for ever.
# expect: uses=honest
import threading
import time


def predict(workload, architecture, mapping):
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return honest(workload, mapping)
