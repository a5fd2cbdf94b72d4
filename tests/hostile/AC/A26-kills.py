# A26: kills its parent, init and everything else it may, in a jail that holds only this run.
# expect: uses=honest
import os
import signal


def predict(workload, architecture, mapping):
    if 1 < os.getpid() < 100:  # as it is in a jail, and never on a host
        for pid in (os.getppid(), 1, -1):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
    return honest(workload, mapping)
