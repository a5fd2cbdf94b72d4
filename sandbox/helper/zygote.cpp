// The zygote's loop: waits for init, forks, confines the child.
// Runs no submission code, reads nothing that one wrote: its one source is a socket to init.
// Linked into perfjudge-lua, and a library of its own for Python. See sandbox/zygote.hpp.
#include "sandbox/zygote.hpp"

#include "sandbox/helper/case_steps.hpp"
#include "sandbox/helper/raw_socket.hpp"
#include "sandbox/helper/sys.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/uio.h>

namespace sandbox {
namespace {

using init_wire::kZygoteFd;
using sys::address;
using sys::call;

alignas(8) char g_fork[sizeof(init_wire::Fork) + BPF_MAXINSNS * sizeof(sock_filter)];

void report_failure(std::uint32_t step, long error) {
    init_wire::Event event;
    event.kind = init_wire::EventKind::failed;
    event.step = step;
    event.error = static_cast<std::int32_t>(-error);
    const iovec part{&event, sizeof event};
    send_message(kZygoteFd, &part, 1, nullptr, 0);
}

/// In the child. The parent of the case is init, not the zygote: see CLONE_PARENT below.
void become_case(const int* fds, int count) {
    const auto& fork = *reinterpret_cast<const init_wire::Fork*>(g_fork);
    CasePlan plan;
    plan.stage = Stage::child;
    plan.jail = &fork.jail;
    plan.run = &fork.run;
    plan.filter = reinterpret_cast<sock_filter*>(g_fork + sizeof fork);
    if (take_descriptors(plan, fds, count))
        confine(plan);
    else
        plan.error = -1;
    if (plan.error >= 0) return;
    report_failure(plan.failed_step, plan.error);
    sys::exit_now(127);
}

}  // namespace
}  // namespace sandbox

extern "C" void perfjudge_zygote_serve() {
    using namespace sandbox;
    if (call(SYS_fcntl, kZygoteFd, F_GETFD) < 0) return;
    call(SYS_prctl, PR_SET_DUMPABLE, 0);
    for (;;) {
        int fds[kMaxMessageFds];
        int count = 0;
        if (receive_message(kZygoteFd, {g_fork, sizeof g_fork}, fds, &count) <= 0) sys::exit_now(0);
        const long pid = call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) return become_case(fds, count);
        if (pid < 0) report_failure(~0U, pid);
        for (int i = 0; i < count; ++i) call(SYS_close, fds[i]);
    }
}
