# A25: spins for ever and swallows what could stop it.
# expect: uses=honest
import signal


def predict(workload, architecture, mapping):
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
