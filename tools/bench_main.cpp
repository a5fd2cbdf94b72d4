// Measures the jail's costs as paired ratios in one run, peers beside it, and the model's rates.
// Asserts nothing: machines are noisy, so it prints medians and leaves judging to people.
// Started by tools/bench: bench_main [PAIRS [PART_OF_A_NAME]].
#include "tools/bench_jail.hpp"
#include "tools/bench_model.hpp"
#include "tools/bench_peers.hpp"
#include "tools/bench_submission.hpp"
#include "tools/own_path.hpp"

#include <algorithm>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace tools::bench;
    Plan plan;
    plan.folder = tools::own_program().parent_path();
    if (argc > 1) plan.rounds = std::max(5, std::atoi(argv[1]));
    if (argc > 2) plan.wanted = argv[2];
    Bare bare(plan.folder / "bench_bare");
    print_head();
    bench_jail(plan, bare);
    bench_peers(plan, bare);
    bench_submission(plan, bare);
    bench_model(plan);
    return 0;
}
