// Tests of sandbox/wire.hpp and helper_protocol.hpp: what goes in comes out, broken bytes do not.
// No helper.
// Run by the unit suite.
#include "sandbox/helper_protocol.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

using namespace sandbox;
namespace proto = sandbox::helper_protocol;

namespace {

Outcome sample_outcome() {
    Outcome o;
    o.ending = Ending::policy_violation;
    o.blocked_call = "socket";
    o.leftover_processes = true;
    o.limits_hit.inodes = true;
    o.limits_in_force.memory = Limiter::cgroup;
    o.usage = {1, 2, 3, 4, 5};
    o.out = std::string("a\0b", 3);
    o.answer = "{}";
    return o;
}

}  // namespace

TEST_CASE("protocol: an outcome survives its journey") {
    Outcome back;
    REQUIRE(proto::decode(proto::encode(sample_outcome()), back));
    CHECK(back.ending == Ending::policy_violation);
    CHECK(back.blocked_call == "socket");
    CHECK(back.leftover_processes);
    CHECK(back.limits_hit.inodes);
    CHECK(!back.limits_hit.disk);
    CHECK(back.limits_in_force.memory == Limiter::cgroup);
    CHECK(back.usage.output_bytes == 5);
    CHECK(back.out == std::string("a\0b", 3));
    CHECK(back.answer == "{}");
}

TEST_CASE("protocol: the first request survives its journey, whole") {
    const std::string start = proto::encode(
        proto::StartRequest{Mode::portable, true, false, "/scratch", {{Profile::shell, {}}}});
    proto::StartRequest back;
    REQUIRE(proto::decode(start, back));
    CHECK(back.mode == Mode::portable);
    CHECK(back.try_it);
    CHECK(back.scratch == "/scratch");
    CHECK(back.views.size() == 1);
    for (std::size_t n = 0; n < start.size(); ++n)
        CHECK(!proto::decode(std::string_view(start).substr(0, n), back));
}

TEST_CASE("protocol: every shortened or lengthened body is refused") {
    const std::string outcome = proto::encode(sample_outcome());
    const std::string run =
        proto::encode(proto::RunRequest{false, true, "/bin/x", {"x", "y"}, {"A=b"}, {}});
    const std::string views =
        proto::encode(std::vector<View>{{Profile::lua, {{ViewEntry::Kind::link, "/tmp", "/box"}}}});
    Outcome o;
    std::vector<View> v;
    for (std::size_t n = 0; n < outcome.size(); ++n)
        CHECK(!proto::decode(std::string_view(outcome).substr(0, n), o));
    for (std::size_t n = 0; n < views.size(); ++n)
        CHECK(!proto::decode(std::string_view(views).substr(0, n), v));
    proto::RunRequest r;
    for (std::size_t n = 0; n < run.size(); ++n)
        CHECK(!proto::decode(std::string_view(run).substr(0, n), r));
    CHECK(proto::decode(run, r));
    CHECK(!proto::decode(run + "x", r));
}

TEST_CASE("protocol: counts and enumerators out of range are refused") {
    std::vector<View> views;
    CHECK(!proto::decode(wire::Writer().number(~std::uint64_t{0}).bytes(), views));
    CHECK(!proto::decode(wire::Writer().number(1).number(99).number(0).bytes(), views));
    proto::RunRequest request;
    request.argv = {"x"};
    request.limits.wall_time = std::chrono::milliseconds(0);
    CHECK(!proto::decode(proto::encode(request), request));
}

TEST_CASE("wire: a frame carries its descriptors, and a hang-up ends the reading") {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    UniqueFd a(ends[0]);
    UniqueFd b(ends[1]);
    const std::array<int, 1> fds{0};
    REQUIRE(wire::send(a.get(), 7, "body", fds));
    wire::Frame frame;
    REQUIRE(wire::receive(b.get(), frame));
    CHECK(frame.type == 7);
    CHECK(frame.body == "body");
    CHECK(frame.fds.size() == 1);
    const std::uint32_t lie[2] = {7, 100};  // promises a body and hangs up
    REQUIRE(::send(a.get(), lie, sizeof lie, 0) == sizeof lie);
    a.reset();
    CHECK(!wire::receive(b.get(), frame));
}
