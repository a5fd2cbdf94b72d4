# A17: throws instead of answering, and the exception's text throws as well.
# expect: reason=exception
class Loud(BaseException):
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


def predict(workload, architecture, mapping):
    raise Loud()
