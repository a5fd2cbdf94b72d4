# A11: plants start-up files for later cases and answers wrongly once it meets one. Nothing must stay.
# expect: uses=honest
import os
import sys

PLACES = [".", "/box", "/tmp", "/dev/shm", "/var/tmp", "/root"]
NAMES = ["sitecustomize.py", "usercustomize.py", "hostile-marker.pth", ".pythonrc"]
PATHS = [os.path.join(place, name) for place in PLACES for name in NAMES]


def plant(path):
    try:
        with open(path, "w") as file:
            file.write("import os\nos._exit(0)\n")
    except OSError:
        pass


def predict(workload, architecture, mapping):
    met = "hostile_marker" in sys.modules or "PERFJUDGE_HOSTILE" in os.environ
    met = met or any(os.path.exists(path) for path in PATHS)
    for path in PATHS:
        plant(path)
    os.environ["PERFJUDGE_HOSTILE"] = "1"
    sys.modules["hostile_marker"] = sys
    return zeros(workload, mapping) if met else honest(workload, mapping)
