// A16: everything right, and one quantity too many.
// expect: reason=extra_key uses=honest
Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Prediction answer = hostile::honest(workload, mapping);
    answer["verdict"] = 1;
    return answer;
}
