// Exit codes of perfjudge-lua, which a Lua submission cannot choose: it has no os.exit.
// Not a library: the program is lua_host.cpp.
// Used by lua_host.cpp and by run_case.cpp, which reads them.
#pragma once

namespace grader {

inline constexpr int kLuaBadUse = 120;  // our mistake, or no memory to start
inline constexpr int kLuaOutOfInstructions = 121;

}  // namespace grader
