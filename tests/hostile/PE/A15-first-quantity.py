# A15: gives only the first quantity, rightly.
# expect: reason=missing_key uses=honest
def predict(workload, architecture, mapping):
    answer = honest(workload, mapping)
    return {"dram.words": answer["dram.words"]}
