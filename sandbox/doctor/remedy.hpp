// Why the kernel refused something, as far as its texts tell, and what to do about it. Pure.
// Names no promise: explain.cpp does.
// Called by explain.cpp.
#pragma once

#include "sandbox/doctor/host_texts.hpp"
#include "sandbox/doctor/probe.hpp"

#include <string>

namespace sandbox::doctor {

std::string error_text(int error);
/// "map ids: Operation not permitted".
std::string answer_of(const Tried& tried);

/// For a user namespace: which knob forbids it.
std::string user_namespace_remedy(const Tried& tried, const HostTexts& host);
/// For anything else that needs privileges: where the refusal comes from.
std::string remedy_for(const Tried& tried, const HostTexts& host);

}  // namespace sandbox::doctor
