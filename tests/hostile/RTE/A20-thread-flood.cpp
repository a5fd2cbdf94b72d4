// A20: at most 200 threads that sleep; the library throws where one is refused.
// expect: reason=exception|signal uses=honest
#include <chrono>
#include <thread>

Prediction predict(const Workload& workload, const Architecture&, const Mapping& mapping) {
    for (int i = 0; i < 200; ++i)
        std::thread([] { std::this_thread::sleep_for(std::chrono::seconds(4)); }).detach();
    return hostile::zeros(workload, mapping);
}
