# P01: poisons modules and hooks that a harness in the same process might use afterwards.
# expect: uses=honest
import atexit
import sys


class Poison:
    def __getattr__(self, name):
        raise RuntimeError("poisoned")


def predict(workload, architecture, mapping):
    answer = honest(workload, mapping)
    for name in ("unittest", "pytest", "pickle", "marshal", "subprocess", "perfjudge", "harness"):
        sys.modules[name] = Poison()
    sys.settrace(lambda *a: None)
    sys.setprofile(lambda *a: None)
    sys.excepthook = lambda *a: None
    atexit.register(lambda: print('{"answer":{"dram.words":1}}'))
    return answer
