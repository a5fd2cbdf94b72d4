// Fuzz harness of grader/lua_host_pattern.hpp: find, match, gmatch and gsub give what liblua's
// give, errors included. The input is a pattern, a zero byte, a replacement, a zero byte, a
// subject. Built by tests/fuzz/meson.build.
#include "grader/lua_host_library.hpp"
#include "grader/lua_host_work.hpp"
#include "tests/fuzz/harness.hpp"

#include <lua.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

// A pattern that takes longer is left out: liblua's matcher has no end to its patience.
constexpr std::int64_t kWork = 20'000;
lua_State* running = nullptr;
bool exhausted = false;

lua_State* open_state(bool ours) {
    lua_State* lua = luaL_newstate();
    luaL_openlibs(lua);
    if (ours) grader::lua_library::install(lua);
    const char* script = R"(
        local find, match, gmatch, gsub, pcall, select = string.find, string.match, string.gmatch,
            string.gsub, pcall, select
        local function show(...)
            local out = table.pack(...)
            for i = 1, out.n do out[i] = tostring(out[i]) end
            return table.concat(out, "\1")
        end
        local function every(s, p, init)
            local out = {}
            for a, b in gmatch(s, p, init) do out[#out + 1] = show(a, b) end
            return table.concat(out, "\2")
        end
        return function(s, p, r)
            return table.concat({show(pcall(find, s, p)), show(pcall(find, s, p, -3)),
                show(pcall(find, s, p, 2, true)), show(pcall(match, s, p)), show(pcall(every, s, p)),
                show(pcall(every, s, p, 3)), show(pcall(gsub, s, p, r)), show(pcall(gsub, s, p, r, 2)),
                show(pcall(gsub, s, p, function(a, b) return b or a end)),
                show(pcall(gsub, s, p, {a = r}))}, "\3")
        end)";
    fuzz::require(luaL_loadstring(lua, script) == LUA_OK && lua_pcall(lua, 0, 1, 0) == LUA_OK);
    return lua;
}

/// The function stays at index 1.
std::string run(lua_State* lua, const std::string& subject, const std::string& pattern,
                const std::string& replacement) {
    running = lua;
    lua_settop(lua, 1);
    lua_pushvalue(lua, 1);
    for (const std::string* text : {&subject, &pattern, &replacement})
        lua_pushlstring(lua, text->data(), text->size());
    fuzz::require(lua_pcall(lua, 3, 1, 0) == LUA_OK);
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, -1, &size);
    return {text, size};
}

}  // namespace

void grader::lua_work::used_up(std::int64_t) {
    exhausted = true;
    luaL_error(running, "out of work");
    std::abort();
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static lua_State* const theirs = open_state(false);
    static lua_State* const ours = open_state(true);
    const std::string all = fuzz::text_of(data, size);
    const std::size_t first = std::min(all.find('\0'), all.size());
    const std::size_t second = std::min(all.find('\0', first + 1), all.size());
    const std::string pattern = all.substr(0, first);
    const std::string replacement =
        first < second ? all.substr(first + 1, second - first - 1) : std::string();
    const std::string subject = second < all.size() ? all.substr(second + 1) : std::string();
    exhausted = false;
    grader::lua_work::left = kWork;
    const std::string found = run(ours, subject, pattern, replacement);
    grader::lua_work::left = INT64_MAX;
    if (exhausted) return 0;
    fuzz::require(found == run(theirs, subject, pattern, replacement));
    return 0;
}
