// A30: empties its input after it has computed the answer. The input was its own copy.
// expect: uses=honest
Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Prediction answer = hostile::honest(workload, mapping);
    const_cast<Workload&>(workload).tensors.clear();
    const_cast<Mapping&>(mapping).levels.clear();
    return answer;
}
