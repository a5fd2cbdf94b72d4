# A07: objects that say they equal everything, but are no numbers.
# expect: reason=unreadable|no_answer uses=honest
class Any:
    def __eq__(self, other):
        return True

    def __float__(self):
        return 1.0

    __hash__ = object.__hash__


def predict(workload, architecture, mapping):
    return {name: Any() for name in zeros(workload, mapping)}
