// A diagnosis as a table for people, and as one JSON object.
// Asks nothing of the host.
// Called by cmd_doctor.cpp.
#pragma once

#include "tools/doctor_run.hpp"

#include <string>

namespace tools {

std::string doctor_table(const Diagnosis& diagnosis, bool colour);
/// One line; docs/doctor.md lists its fields.
std::string doctor_json(const Diagnosis& diagnosis);

}  // namespace tools
