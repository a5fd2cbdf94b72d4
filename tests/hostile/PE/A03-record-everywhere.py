# A03: writes a record to every descriptor there could be, then answers rightly as well.
# expect: reason=extra_answer flags=tamper uses=honest
import json
import os


def predict(workload, architecture, mapping):
    answer = honest(workload, mapping)
    text = json.dumps({"answer": answer}).encode() + b"\n"
    for fd in range(1024):
        try:
            os.write(fd, text)
        except OSError:
            pass
    return answer
