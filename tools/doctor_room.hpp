// Room on disks and in tables: the cache folder, TMPDIR, descriptors, processes.
// Writes one file into the cache folder and removes it.
// Called by doctor_run.cpp.
#pragma once

#include "sandbox/doctor/finding.hpp"

#include <filesystem>
#include <vector>

namespace tools {

std::vector<sandbox::doctor::Finding> check_room(const std::filesystem::path& cache);

}  // namespace tools
