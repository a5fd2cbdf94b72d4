# A26: reads another process's memory through libc.
# expect: reason=call uses=honest
import ctypes
import os


def predict(workload, architecture, mapping):
    ctypes.CDLL(None).process_vm_readv(os.getppid(), None, 0, None, 0, 0)
    return honest(workload, mapping)
