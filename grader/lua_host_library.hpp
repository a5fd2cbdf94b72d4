// The library functions of perfjudge-lua that are ours, or liblua's with a charge in front.
// Does not offer or remove a library: lua_host.cpp does.
// Used by lua_host.cpp; find to gsub are in lua_host_strings.cpp, the rest in lua_host_library.cpp.
#pragma once

struct lua_State;

namespace grader::lua_library {

/// Puts our functions into the libraries that are open. Called once for each state.
void install(lua_State* lua);

int find(lua_State* lua);
int match(lua_State* lua);
int gmatch(lua_State* lua);
int gsub(lua_State* lua);

}  // namespace grader::lua_library
