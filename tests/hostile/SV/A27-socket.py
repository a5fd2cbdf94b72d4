# A27: connects to a port of its own choice on the local host.
# expect: reason=call uses=honest
import socket


def predict(workload, architecture, mapping):
    try:
        socket.create_connection(("127.0.0.1", 59321), 1)
    except OSError:
        pass
    return honest(workload, mapping)
