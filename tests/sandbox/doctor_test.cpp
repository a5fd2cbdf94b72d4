// Tests of sandbox/doctor/: what the texts and answers of other hosts lead to.
// Tries no mechanism of this host: tests/doctor does.
// Run by the unit suite.
#include "sandbox/doctor/explain.hpp"
#include "sandbox/doctor/groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace doctor = sandbox::doctor;
using doctor::Finding;
using doctor::HostTexts;
using doctor::State;
using sandbox::Controller;

namespace {

constexpr const char* kRootMount =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n";
constexpr const char* kCgroup2 =
    "30 23 0:27 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 "
    "rw,nsdelegate,memory_recursiveprot\n";

/// Debian 12 on real hardware, an ordinary user.
HostTexts debian12() {
    HostTexts host;
    host.machine = "x86_64";
    host.release = "6.1.0-18-amd64";
    host.status =
        "Name:\tperfjudge\nCapEff:\t0000000000000000\nNoNewPrivs:\t0\nSeccomp:\t0\n"
        "Seccomp_filters:\t0\n";
    host.mountinfo = std::string(kRootMount) + kCgroup2;
    host.self_cgroup = "0::/user.slice/user-1000.slice/session-3.scope\n";
    host.userns_clone = "1";
    host.max_user_namespaces = "62810";
    host.core_pattern = "core";
    host.systemd = true;
    return host;
}

/// A container as Docker starts it: root with few capabilities, behind its filter.
HostTexts docker() {
    HostTexts host = debian12();
    host.as_root = true;
    host.docker = true;
    host.systemd = false;
    host.status = "CapEff:\t00000000a80425fb\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n";
    host.mountinfo =
        "612 480 0:57 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/l,upperdir=/u\n"
        "624 623 0:27 /system.slice/docker-ab.scope /sys/fs/cgroup ro,nosuid,nodev,noexec - "
        "cgroup2 "
        "cgroup rw,nsdelegate\n";
    host.self_cgroup = "0::/\n";
    return host;
}

HostTexts ubuntu2404() {
    HostTexts host = debian12();
    host.release = "6.8.0-31-generic";
    host.userns_clone = "1";
    host.apparmor_userns = "1";
    return host;
}

bool names(const Finding& finding, const std::string& word) {
    return finding.remedy.find(word) != std::string::npos;
}

/// Our own group and what a probe of it was answered.
doctor::GroupTried group(std::string path, int version, std::vector<Controller> has, int error) {
    doctor::GroupTried tried;
    tried.where = {std::move(path), version, std::move(has)};
    tried.error = error;
    tried.step = error != 0 ? "make a group" : "";
    if (error == 0) tried.lent = tried.where.controllers;
    return tried;
}

const std::vector<Controller> kAll{Controller::memory, Controller::pids, Controller::cpu};

const Finding& row(const std::vector<Finding>& findings, const std::string& name) {
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& one) { return one.name == name; });
    REQUIRE(found != findings.end());
    return *found;
}

}  // namespace

TEST_CASE("doctor: kernels are compared by their numbers") {
    for (const char* good :
         {"5.14.0", "5.14", "5.15.153.1-microsoft-standard-WSL2", "6.1.0-18-amd64", "10.0-rc1"})
        CHECK_MESSAGE(doctor::kernel_at_least(good, 5, 14), good);
    for (const char* bad : {"5.13.19", "5.4.0-150-generic", "4.19.0-26-amd64", "3.10.0-1160.el7",
                            "5", "", "x", "6.x"})
        CHECK_MESSAGE(!doctor::kernel_at_least(bad, 5, 14), bad);
    HostTexts old = debian12();
    old.release = "5.10.0-28-amd64";
    CHECK(doctor::explain_kernel(old).state == State::missing);
    CHECK(names(doctor::explain_kernel(old), "5.14"));
    CHECK(doctor::explain_kernel(debian12()).state == State::ok);
}

TEST_CASE("doctor: another architecture is no place for our filters") {
    HostTexts host = debian12();
    CHECK(doctor::explain_machine(host).state == State::ok);
    host.machine = "aarch64";
    CHECK(doctor::explain_machine(host).state == State::missing);
}

TEST_CASE("doctor: both versions of WSL are known by their releases") {
    HostTexts host = debian12();
    CHECK(doctor::wsl(host) == doctor::Wsl::no);
    host.release = "5.15.153.1-microsoft-standard-WSL2";
    CHECK(doctor::wsl(host) == doctor::Wsl::two);
    CHECK(doctor::explain_wsl(host).state == State::ok);
    host.release = "4.4.0-19041-Microsoft";
    CHECK(doctor::wsl(host) == doctor::Wsl::one);
    CHECK(doctor::explain_wsl(host).state == State::missing);
    CHECK(names(doctor::explain_wsl(host), "--set-version"));
}

TEST_CASE("doctor: user namespaces: each knob is named where it is the one") {
    const doctor::Tried refused{EPERM, "create"};
    HostTexts host = debian12();
    CHECK(doctor::explain_user_namespace({}, host).state == State::ok);
    host.userns_clone = "0";
    const Finding knob = doctor::explain_user_namespace(refused, host);
    CHECK(knob.state == State::missing);
    CHECK(names(knob, "kernel.unprivileged_userns_clone=1"));
    host = debian12();
    host.max_user_namespaces = "0";
    CHECK(names(doctor::explain_user_namespace({ENOSPC, "create"}, host),
                "user.max_user_namespaces"));
    CHECK(names(doctor::explain_user_namespace({EINVAL, "create"}, debian12()), "CONFIG_USER_NS"));
    CHECK(names(doctor::explain_user_namespace(refused, docker()), "seccomp=unconfined"));
    host = debian12();
    host.mountinfo = kCgroup2;
    CHECK(names(doctor::explain_user_namespace(refused, host), "chroot"));
    CHECK(names(doctor::explain_user_namespace(refused, debian12()), "dmesg"));
}

TEST_CASE("doctor: Ubuntu 24.04 lets a namespace be made and refuses what is done in it") {
    for (const doctor::Tried& tried :
         {doctor::Tried{EPERM, "map ids"}, doctor::Tried{EACCES, "use"},
          doctor::Tried{EPERM, "create"}}) {
        const Finding finding = doctor::explain_user_namespace(tried, ubuntu2404());
        CHECK(finding.state == State::missing);
        CHECK(names(finding, "AppArmor"));
        CHECK(names(finding, "docs/doctor.md"));
    }
    const auto& pid = doctor::namespace_rows().at(1);
    CHECK(names(doctor::explain_namespace(pid, {EPERM, "map ids"}, ubuntu2404()), "AppArmor"));
    CHECK(names(doctor::explain_tmpfs({EACCES, "make / private"}, ubuntu2404()), "AppArmor"));
}

TEST_CASE("doctor: root needs no user namespace") {
    HostTexts host = debian12();
    host.as_root = true;
    host.max_user_namespaces = "0";
    const Finding finding = doctor::explain_user_namespace({ENOSPC, "create"}, host);
    CHECK(finding.state == State::limited);
    CHECK(names(finding, "user.max_user_namespaces"));
}

TEST_CASE("doctor: root of a rootless container has too few ids") {
    const Finding finding = doctor::explain_jail_id({EINVAL, "take"}, docker());
    CHECK(finding.state == State::missing);
    CHECK(names(finding, "rootless"));
    CHECK(names(doctor::explain_jail_id({EPERM, "take"}, docker()), "CAP_SYS_ADMIN"));
    CHECK(doctor::explain_jail_id({}, debian12()).state == State::ok);
}

TEST_CASE("doctor: Docker's default refuses for two reasons") {
    const auto& mount = doctor::namespace_rows().at(0);
    const doctor::Tried refused{EPERM, "unshare"};
    CHECK(names(doctor::explain_namespace(mount, refused, docker()), "CAP_SYS_ADMIN"));
    HostTexts host = docker();
    host.status = "CapEff:\t000001ffffffffff\nSeccomp:\t2\n";
    CHECK(names(doctor::explain_namespace(mount, refused, host), "seccomp=unconfined"));
    host.status = "CapEff:\t000001ffffffffff\nSeccomp:\t0\n";
    CHECK(names(doctor::explain_namespace(mount, refused, host), "apparmor=unconfined"));
    CHECK(doctor::explain_namespace(mount, refused, host).state == State::missing);
    CHECK(doctor::explain_namespace(mount, {}, host).state == State::ok);
}

TEST_CASE("doctor: a chroot is told apart from a refusal") {
    HostTexts host = debian12();
    CHECK(!doctor::in_chroot(host));
    host.mountinfo = "40 30 0:5 / /dev rw - devtmpfs udev rw\n";
    CHECK(doctor::in_chroot(host));
    const Finding finding = doctor::explain_private_mounts({EINVAL, "make / private"}, host);
    CHECK(finding.state == State::missing);
    CHECK(names(finding, "mount --bind"));
    CHECK(names(doctor::explain_private_mounts({EPERM, "make / private"}, docker()),
                "CAP_SYS_ADMIN"));
}

TEST_CASE("doctor: Landlock levels say what they lack") {
    doctor::LandlockTried tried;
    tried.error = EOPNOTSUPP;
    CHECK(names(doctor::explain_landlock(tried), "lsm="));
    tried.error = ENOSYS;
    CHECK(names(doctor::explain_landlock(tried), "CONFIG_SECURITY_LANDLOCK"));
    tried = {};
    tried.abi = 2;  // Debian 12
    const Finding two = doctor::explain_landlock(tried);
    CHECK(two.state == State::limited);
    CHECK(two.found.find("truncation") != std::string::npos);
    CHECK(two.found.find("moves between folders") == std::string::npos);
    tried.abi = 6;
    CHECK(doctor::explain_landlock(tried).state == State::ok);
    tried.restricts = {EINVAL, "restrict"};
    CHECK(doctor::explain_landlock(tried).state == State::limited);
}

TEST_CASE("doctor: what full mode cannot do without is missing, with the reason") {
    const HostTexts host = debian12();
    CHECK(doctor::explain_filter({EINVAL, "load"}, host).state == State::missing);
    CHECK(names(doctor::explain_notification({EBUSY, "listen"}, host), "listens"));
    HostTexts strict = host;
    strict.memfd_noexec = "2";
    CHECK(
        names(doctor::explain_executable_memory({EACCES, "execute"}, strict), "vm.memfd_noexec=1"));
    CHECK(doctor::explain_executable_memory({}, strict).state == State::ok);
    CHECK(doctor::explain_pid_counter({ENOENT, "open"}, host).state == State::limited);
    CHECK(names(doctor::explain_pid_counter({ENOENT, "open"}, host), "CONFIG_CHECKPOINT_RESTORE"));
    const Finding killed = doctor::explain_filter({-1, "load"}, host);
    CHECK(killed.state == State::missing);
    CHECK(killed.found.find("killed") != std::string::npos);
}

TEST_CASE("doctor: /proc may be absent or hide others") {
    HostTexts host = debian12();
    CHECK(doctor::explain_proc(false, host).state == State::missing);
    CHECK(doctor::explain_proc(true, host).state == State::ok);
    host.mountinfo += "25 22 0:22 / /proc rw,nosuid - proc proc rw,hidepid=invisible\n";
    CHECK(doctor::explain_proc(true, host).state == State::limited);
    host.as_root = true;
    CHECK(doctor::explain_proc(true, host).state == State::ok);
}

TEST_CASE("doctor: core handlers are information") {
    HostTexts host = debian12();
    host.core_pattern = "|/usr/share/apport/apport -p%p";
    CHECK(doctor::explain_core_pattern(host).state == State::ok);
    CHECK(doctor::explain_core_pattern(host).found.find("apport") != std::string::npos);
}

TEST_CASE("doctor: layouts of control groups") {
    using doctor::Layout;
    const std::string root = kRootMount;
    const std::string tmpfs = "31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n";
    const std::string memory = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
    const std::string systemd =
        "32 31 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n";
    const std::string unified = "33 31 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    CHECK(doctor::layout_of("") == Layout::none);
    CHECK(doctor::layout_of(root) == Layout::none);
    CHECK(doctor::layout_of(root + kCgroup2) == Layout::two);
    CHECK(doctor::layout_of(root + tmpfs + systemd + memory) == Layout::one);
    CHECK(doctor::layout_of(root + tmpfs + systemd + memory + unified) == Layout::hybrid);
    CHECK(doctor::layout_of(root + tmpfs + systemd + kCgroup2) == Layout::two);
}

TEST_CASE("doctor: version 2 without delegation: systemd-run is the remedy") {
    const auto findings = doctor::explain_groups(
        {group("/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope", 2, kAll, EACCES)},
        "no control group to use below /x: the controllers are not delegated; start with: y",
        debian12());
    CHECK(row(findings, "layout").state == State::ok);
    for (const char* name : {"memory controller", "pids controller", "cpu accounting"}) {
        CHECK(row(findings, name).state == State::limited);
        CHECK(names(row(findings, name), "systemd-run --user --scope -p Delegate=yes"));
    }
    CHECK(row(findings, "memory controller").meaning.find("sampled") != std::string::npos);
}

TEST_CASE("doctor: version 2 whose controllers are off below us says so in the lender's words") {
    doctor::GroupTried tried = group("/sys/fs/cgroup/a", 2, kAll, 0);
    tried.lent.clear();
    const auto findings = doctor::explain_groups(
        {tried}, "no control group to use below /a: other processes live in it; start with: y",
        debian12());
    CHECK(row(findings, "pids controller").found ==
          "no control group to use below /a: other processes live in it");
}

TEST_CASE("doctor: version 2 with delegation lends everything") {
    doctor::GroupTried tried = group("/sys/fs/cgroup/user.slice/run-u12.scope", 2, kAll, 0);
    tried.swap = true;
    auto findings = doctor::explain_groups({tried}, "", debian12());
    CHECK(std::all_of(findings.begin(), findings.end(), [](const Finding& one) {
        return one.state == State::ok && one.remedy.empty();
    }));
    tried.swap = false;
    findings = doctor::explain_groups({tried}, "", debian12());
    CHECK(row(findings, "swap accounting").state == State::limited);
}

TEST_CASE("doctor: hybrid hosts lend by version 1, to root only") {
    HostTexts host = debian12();
    host.mountinfo = std::string(kRootMount) +
                     "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                     "39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
                     "33 31 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    const auto tried = [](int error) {
        return std::vector{group("/sys/fs/cgroup/memory/u", 1, {Controller::memory}, error),
                           group("/sys/fs/cgroup/pids/u", 1, {Controller::pids}, error)};
    };
    auto findings = doctor::explain_groups(tried(EACCES), "", host);
    CHECK(row(findings, "layout").found.starts_with("hybrid"));
    CHECK(names(row(findings, "memory controller"), "run as root"));
    CHECK(row(findings, "cpu accounting").found.find("no hierarchy") != std::string::npos);
    host.as_root = true;
    findings = doctor::explain_groups(tried(0), "", host);
    CHECK(row(findings, "memory controller").state == State::ok);
    CHECK(row(findings, "cpu accounting").state == State::limited);
}

TEST_CASE("doctor: a container's read-only groups, and WSL without systemd") {
    auto findings = doctor::explain_groups({group("/sys/fs/cgroup", 2, kAll, EROFS)}, "", docker());
    CHECK(names(row(findings, "memory controller"), "--cgroupns=private"));
    HostTexts host = debian12();
    host.release = "5.15.153.1-microsoft-standard-WSL2";
    host.systemd = false;
    findings = doctor::explain_groups({group("/sys/fs/cgroup", 2, kAll, EACCES)}, "", host);
    CHECK(names(row(findings, "memory controller"), "/etc/wsl.conf"));
    host.mountinfo = kRootMount;
    findings = doctor::explain_groups({}, "", host);
    CHECK(row(findings, "layout").state == State::limited);
    CHECK(names(row(findings, "memory controller"), "mount -t cgroup2"));
}

TEST_CASE("doctor: damaged texts lead to no claim") {
    for (const char* text : {"", "\n", " - ", "1 2 3", "CapEff", "CapEff:\tzz", "Seccomp:\n"}) {
        HostTexts host;
        host.status = host.mountinfo = text;
        CHECK(!doctor::filtered(host));
        CHECK(!doctor::can_administer(host));
        CHECK(doctor::layout_of(text) == doctor::Layout::none);
    }
}

TEST_CASE("doctor: whatever is not ok names a remedy") {
    for (const HostTexts& host : {debian12(), docker(), ubuntu2404()}) {
        for (const int error : {EPERM, EACCES, ENOSYS, EINVAL, ENOSPC, EBUSY, -1}) {
            for (const char* step : {"create", "map ids", "unshare", "make / private"}) {
                const doctor::Tried tried{error, step};
                CHECK(!doctor::explain_user_namespace(tried, host).remedy.empty());
                CHECK(!doctor::explain_tmpfs(tried, host).remedy.empty());
                CHECK(!doctor::explain_filter(tried, host).remedy.empty());
                CHECK(!doctor::explain_notification(tried, host).remedy.empty());
                CHECK(!doctor::explain_pid_counter(tried, host).remedy.empty());
                CHECK(!doctor::explain_executable_memory(tried, host).remedy.empty());
            }
        }
    }
}
