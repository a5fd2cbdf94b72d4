// What a jail is made of: full (namespaces) or portable (Landlock and the filter alone).
// There is nothing below: a host that offers neither is refused.
// Named by reports; chosen once per Supervisor.
#pragma once

#include <cstdint>
#include <string_view>

namespace sandbox {

enum class Mode : std::uint8_t { full, portable };
std::string_view name(Mode mode);

}  // namespace sandbox
