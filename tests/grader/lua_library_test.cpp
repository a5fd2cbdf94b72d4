// Our Lua library against liblua's own: the same scripts in one state of each, line by line. Then
// what it charges: the same in every run, and an end in the middle of one call.
// Needs no jail. Run by the unit suite; the attacks themselves are in live_lua_test.cpp.
#include "grader/lua_host_library.hpp"
#include "grader/lua_host_work.hpp"

#include <doctest/doctest.h>
#include <lua.hpp>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// As in the host: it seeds the hashes of strings, and so the order in which an error message looks
// for the name of a function.
extern "C" time_t time(time_t* out) {
    if (out != nullptr) *out = 0;
    return 0;
}

namespace work = grader::lua_work;

namespace {

lua_State* running = nullptr;

class State {
  public:
    enum class Library : std::uint8_t { liblua, ours };

    explicit State(Library library) : lua_(luaL_newstate()) {
        luaL_openlibs(lua_);
        if (library == Library::ours) grader::lua_library::install(lua_);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { lua_close(lua_); }

    /// The list of strings that `source` returns; an error is its only line.
    std::vector<std::string> lines(const std::string& source) {
        running = lua_;
        lua_settop(lua_, 0);
        if (luaL_loadstring(lua_, source.c_str()) != LUA_OK || lua_pcall(lua_, 0, 1, 0) != LUA_OK)
            return {luaL_tolstring(lua_, -1, nullptr)};
        std::vector<std::string> lines;
        if (lua_type(lua_, 1) != LUA_TTABLE) return lines;
        for (lua_Integer i = 1; lua_geti(lua_, 1, i) == LUA_TSTRING; ++i) {
            std::size_t size = 0;
            const char* text = lua_tolstring(lua_, -1, &size);
            lines.emplace_back(text, size);
            lua_pop(lua_, 1);
        }
        return lines;
    }

  private:
    lua_State* lua_;
};

std::string script(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(std::string(std::getenv("PERFJUDGE_SOURCE_ROOT")) + "/tests/data/lua/" +
                          name + ".lua")
                .rdbuf();
    return text.str();
}

void check_same(const std::string& name, std::size_t least) {
    const std::string source = script(name);
    const auto expected = State(State::Library::liblua).lines(source);
    const auto found = State(State::Library::ours).lines(source);
    CHECK(found.size() == expected.size());
    REQUIRE(expected.size() >= least);
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.size() && i < found.size() && different < 20; ++i) {
        if (found[i] == expected[i]) continue;
        ++different;
        CHECK(found[i] == expected[i]);
    }
}

/// What `source` costs with our library, without memory and instructions.
std::int64_t cost(const std::string& source) {
    State state(State::Library::ours);
    work::left = INT64_MAX;
    const auto lines = state.lines("local text, list = ... " + source);
    const std::int64_t spent = INT64_MAX - work::left;
    CAPTURE(source);
    CHECK(lines == std::vector<std::string>{});
    return spent;
}

/// How much of `budget` is missing when it ends `source`, or -1 if it does not.
std::int64_t missing(const std::string& source, std::int64_t budget) {
    State state(State::Library::ours);
    work::left = budget;
    const auto lines = state.lines(source);
    work::left = INT64_MAX;
    constexpr std::string_view kEnd = "out of work: ";
    if (lines.empty() || lines[0].find(kEnd) == std::string::npos) return -1;
    return std::stoll(lines[0].substr(lines[0].find(kEnd) + kEnd.size()));
}

}  // namespace

// In the host this ends the program. Here it is an error, so that a test sees where it came.
void grader::lua_work::used_up(std::int64_t missing) {
    left = INT64_MAX;
    lua_pushfstring(running, "out of work: %I", static_cast<lua_Integer>(missing));
    lua_error(running);
    std::abort();
}

TEST_CASE("lua library: the manual's cases and corners are as in liblua") {
    check_same("cases", 300);
}

TEST_CASE("lua library: odd arguments give the same results and errors as in liblua") {
    check_same("arguments", 70000);
}

TEST_CASE("lua library: random patterns on random subjects do the same as in liblua") {
    check_same("patterns", 135000);
}

TEST_CASE("lua library: every kind of work is charged, twice the work at least about twice") {
    const std::vector<std::string> sources{
        "('a'):rep(N):find('b')",
        "('a'):rep(N):find('b', 1, true)",
        "('a'):rep(N):match('^a*b')",
        "('a'):rep(N):match('^a-b')",
        "('('):rep(N):match('^%b()')",
        "('a'):find('[' .. ('b'):rep(N) .. ']')",
        "for _ in ('a'):rep(N):gmatch('a') do end",
        "('a'):rep(N):gsub('a', 'b')",
        "('a'):gsub('a', ('b'):rep(N))",
        "('a'):rep(N):upper()",
        "('a'):rep(N):lower()",
        "('a'):rep(N):reverse()",
        "(''):rep(N)",
        "('a'):rep(N)",
        "string.format('%s', ('a'):rep(N))",
        "string.format('%.1s', ('a'):rep(N))",
        "string.pack('z', ('a'):rep(N))",
        "pcall(function() local x = string.unpack('z', ('a'):rep(N)) end)",
        "string.packsize(('i4'):rep(N))",
        "('a'):rep(N):byte(1, -1)",
        "string.char(('a'):rep(N):byte(1, -1))",
        "utf8.len(('a'):rep(N))",
        "utf8.codepoint(('a'):rep(N), 1, -1)",
        "utf8.offset(('a'):rep(N), -1, 1 + N)",
        "utf8.offset(('\\x80'):rep(N), 0, N)",
        "pcall(utf8.codes('a'), 'a' .. ('\\x80'):rep(N), 1)",
        "tonumber((' '):rep(N) .. '1')",
        "local x = (' '):rep(N) .. '1' local y = x + 1",
        "local a, b = ('a'):rep(N) .. 'b', ('a'):rep(N) .. 'b' local c = a == b",
        "local a, b = ('a'):rep(N) .. 'b', ('a'):rep(N) .. 'c' local c = a < b",
        "load((' '):rep(N))",
        "local n = 0 load(function() n = n + 1 return n <= N and ' ' or nil end)",
        "table.unpack({}, 1, N)",
        "table.concat(table.pack(('a'):rep(N):byte(1, -1)))",
        "table.move({}, 1, N, 2)",
        "local t = table.pack(('a'):rep(N):byte(1, -1)) table.insert(t, 1, 0)",
        "local t = table.pack(('a'):rep(N):byte(1, -1)) table.remove(t, 1)",
        "local t = {} for i = 1, N do t[i] = -i end table.sort(t)",
        "for _ in ipairs(table.pack(('a'):rep(N):byte(1, -1))) do end",
        "local function f(...) local t = {...} end f(table.unpack({}, 1, N))",
        "select('#', table.unpack({}, 1, N))",
        "for i = 1, N do coroutine.wrap(print) end",
        "for i = 1, N do local x = i .. '' end",
        "local a, b = 1e308, 3e-308 for i = 1, N do local c = a % b end",
    };
    for (const std::string& source : sources) {
        CAPTURE(source);
        const std::int64_t once = cost("local N = 20000 " + source);
        CHECK(once >= 20000 / 128);
        CHECK(cost("local N = 40000 " + source) >= once * 17 / 10);
        CHECK(cost("local N = 20000 " + source) == once);
    }
}

TEST_CASE("lua library: the budget ends one long call, at the same place in every run") {
    const std::vector<std::string> sources{
        "('a'):rep(60):find(('a-'):rep(60) .. 'b')",
        "('a'):rep(30000):find(('a?'):rep(100) .. ('a'):rep(100) .. 'b')",
        "('a'):rep(30000):gsub('.-b', '')",
        "('('):rep(30000):gsub('%b()', '')",
        "(''):rep(math.maxinteger)",
        "table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 0)",
        "table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)",
        "table.move({}, 1, 1 << 60, 2)",
        "table.sort({1, 2}, function() while true do ('a'):rep(1000):find('b') end end)",
        "assert(load(function() return ' ' end))",
    };
    for (const std::string& source : sources) {
        CAPTURE(source);
        const std::int64_t first = missing(source, 10000000);
        CHECK(first > 0);
        CHECK(missing(source, 10000000) == first);
    }
}

TEST_CASE("lua library: a finaliser never runs, and stays in its metatable") {
    const auto lines = State(State::Library::ours).lines(R"(
        local runs, meta = 0, {__gc = function() runs = runs + 1 end, __index = {a = 1}}
        for i = 1, 100 do setmetatable({}, meta) end
        local kept = setmetatable({}, meta)
        setmetatable(kept, meta)
        collectgarbage()
        collectgarbage()
        return {tostring(runs), type(getmetatable(kept).__gc), tostring(kept.a)}
    )");
    CHECK(lines == std::vector<std::string>{"0", "function", "1"});
}
