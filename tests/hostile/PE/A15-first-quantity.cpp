// A15: gives only the first quantity, rightly.
// expect: reason=missing_key uses=honest
Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    Prediction answer = hostile::honest(workload, mapping);
    answer.erase(std::next(answer.begin()), answer.end());
    return answer;
}
