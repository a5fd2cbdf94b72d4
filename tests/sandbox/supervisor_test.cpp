// Tests of Supervisor::start() with programs that are no helper.
// Makes no jail.
// Run by the unit suite.
#include "sandbox/jail.hpp"

#include <doctest/doctest.h>

TEST_CASE("supervisor: a helper that dies before it answers is an error, not a wait without end") {
    for (const char* program : {"/bin/true", "/bin/false"}) {
        const auto started = sandbox::Supervisor::start({program, {}});
        REQUIRE(!started);
        CHECK(started.error().code == sandbox::Error::Code::supervisor_failed);
    }
}

TEST_CASE("supervisor: a helper that cannot be started is an error") {
    CHECK(!sandbox::Supervisor::start({"/nowhere/perfjudge-jail", {}}));
}
