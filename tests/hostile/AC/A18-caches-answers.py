# A18: keeps the first answer in files, modules and globals for the next case. Nothing must stay.
# expect: uses=honest
import builtins
import json
import os

PATHS = ["cache", "/box/cache2", "/tmp/cache", "/dev/shm/cache"]


def predict(workload, architecture, mapping):
    found = hasattr(builtins, "hostile_cache") or hasattr(json, "hostile_cache")
    found = found or any(os.path.exists(path) for path in PATHS)
    builtins.hostile_cache = json.hostile_cache = True
    for path in PATHS:
        try:
            with open(path, "w") as file:
                file.write("1")
        except OSError:
            pass
    return zeros(workload, mapping) if found else honest(workload, mapping)
