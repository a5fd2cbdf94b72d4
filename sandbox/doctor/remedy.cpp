// The knobs, in the order in which the kernel asks them.
// Pure.
// See remedy.hpp.
#include "sandbox/doctor/remedy.hpp"

#include <cerrno>
#include <system_error>

namespace sandbox::doctor {

namespace {

constexpr const char* kOtherFilter =
    "a seccomp filter around us refuses it, as Docker's default does: docker run --security-opt "
    "seccomp=unconfined, or a profile that allows clone, unshare and mount; or portable mode";

/// Steps of as_the_helper() that come before what was asked for.
bool failed_in_user_namespace(const Tried& tried) {
    return tried.step == "create" || tried.step == "map ids";
}

bool refused(int error) {
    return error == EPERM || error == EACCES;
}

}  // namespace

std::string error_text(int error) {
    return error < 0 ? "the process that tried it was killed"
                     : std::generic_category().message(error);
}

std::string answer_of(const Tried& tried) {
    return (tried.step.empty() ? "" : tried.step + ": ") + error_text(tried.error);
}

std::string user_namespace_remedy(const Tried& tried, const HostTexts& host) {
    if (tried.error == ENOSPC || is_number(host.max_user_namespaces, 0))
        return "sysctl user.max_user_namespaces=15000 (it is " +
               (host.max_user_namespaces.empty() ? "used up" : host.max_user_namespaces) + ")";
    if (tried.error == EINVAL || tried.error == ENOSYS)
        return "a kernel with CONFIG_USER_NS; or run as root";
    if (!host.as_root && is_number(host.userns_clone, 0))
        return "sysctl kernel.unprivileged_userns_clone=1 (it is 0), or run as root";
    if (!host.as_root && is_number(host.apparmor_userns, 1) && refused(tried.error) &&
        !filtered(host))
        return "AppArmor keeps user namespaces from programs without a profile: add the profile in "
               "docs/doctor.md (userns,), or sysctl "
               "kernel.apparmor_restrict_unprivileged_userns=0";
    if (filtered(host)) return kOtherFilter;
    if (in_chroot(host))
        return "no user namespace can be made in a chroot: run outside it, or as root with / a "
               "mount point";
    return "a security module refuses it (see dmesg); run as root, or in portable mode";
}

std::string remedy_for(const Tried& tried, const HostTexts& host) {
    if (failed_in_user_namespace(tried)) return user_namespace_remedy(tried, host);
    if (tried.error == ENOSPC) return "raise the sysctls user.max_*_namespaces";
    if (tried.error == ENOSYS || tried.error == EINVAL)
        return filtered(host) ? kOtherFilter : "a newer kernel, or one configured with it";
    if (refused(tried.error) || tried.error < 0) {
        if (host.as_root && !can_administer(host))
            return "root here lacks CAP_SYS_ADMIN: docker run --cap-add SYS_ADMIN --security-opt "
                   "seccomp=unconfined --security-opt apparmor=unconfined; or portable mode";
        if (filtered(host)) return kOtherFilter;
        if (!host.as_root && is_number(host.apparmor_userns, 1))
            return user_namespace_remedy(tried, host);
        if (host.docker)
            return "a security module of the container refuses it: docker run --security-opt "
                   "apparmor=unconfined; or portable mode";
    }
    return "a security module refuses it (see dmesg); or portable mode";
}

}  // namespace sandbox::doctor
