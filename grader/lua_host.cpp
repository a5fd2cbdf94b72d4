// perfjudge-lua: runs one Lua 5.4 submission on one case, inside the jail. Reads source and case
// from descriptor 0, calls predict, writes one record to descriptor 3. Does not judge, trusts
// nothing that the submission can reach. Argument: the submission's work budget.
//
// Offered: base (text chunks only), table, string, math, utf8, coroutine. Everything but random
// numbers that could vary between two runs is fixed: heap and stack lie at the same addresses and
// the clock that seeds string hashes stands still, so `pairs` has one order. Instructions are
// counted in every coroutine, other work where it is done (lua_host_work.hpp); when the budget is
// used up the process ends, whatever pcall is around it.
#include "grader/lua_host.hpp"

#include "grader/lua_host_library.hpp"
#include "grader/lua_host_work.hpp"
#include "sandbox/zygote.hpp"

#include <lua.hpp>

#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

extern "C" time_t time(time_t* out) {
    if (out != nullptr) *out = 0;
    return 0;
}

namespace {

using grader::kLuaBadUse;
using grader::kLuaOutOfInstructions;

[[noreturn]] void die(int code, const char* why) {
    (void)std::fflush(stdout);
    (void)std::fprintf(stderr, "perfjudge-lua: %s\n", why);
    (void)std::fflush(stderr);
    ::_exit(code);
}

// --- memory: one reservation at a fixed address, opened step by step, free lists by size ---

class Arena {
  public:
    void* allocate(std::size_t size) {
        const Class c = class_of(size);
        if (Block* block = free_[c.index]) {
            free_[c.index] = block->next;
            grader::lua_work::charge_memory(size);
            return block;
        }
        if (c.size > static_cast<std::size_t>(opened_ - top_) && !open(c.size)) {
            // Lua collects its garbage now.
            grader::lua_work::charge((opened_ - reinterpret_cast<char*>(kBase)) /
                                     grader::lua_work::kHeapCollected);
            return nullptr;
        }
        grader::lua_work::charge_memory(size);
        void* block = top_;
        top_ += c.size;
        return block;
    }

    void release(void* memory, std::size_t size) {
        auto* block = static_cast<Block*>(memory);
        Block*& head = free_[class_of(size).index];
        block->next = head;
        head = block;
    }

    static std::size_t room(std::size_t size) { return class_of(size).size; }

  private:
    struct Block {
        Block* next;
    };
    struct Class {
        std::size_t index, size;
    };
    static constexpr std::uintptr_t kBase = 0x100000000000;
    static constexpr std::size_t kReserved = std::size_t{1} << 36U;
    static constexpr std::size_t kStep = std::size_t{1} << 18U;

    // Steps of 16 bytes up to 1024, then four to a doubling.
    static Class class_of(std::size_t size) {
        if (size <= 1024) {
            const std::size_t index = size == 0 ? 0 : (size - 1) / 16;
            return {index, (index + 1) * 16};
        }
        const auto bits = static_cast<std::size_t>(63 - __builtin_clzll(size - 1));
        const std::size_t quarter = std::size_t{1} << (bits - 2);
        const std::size_t steps = (size - 1 - (std::size_t{1} << bits)) / quarter;
        return {64 + (bits - 10) * 4 + steps, (std::size_t{1} << bits) + (steps + 1) * quarter};
    }

    bool open(std::size_t size) {
        if (top_ == nullptr) {
            void* base =
                ::mmap(reinterpret_cast<void*>(kBase), kReserved, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
            if (base == MAP_FAILED) die(kLuaBadUse, "cannot reserve memory");
            top_ = opened_ = static_cast<char*>(base);
        }
        const std::size_t more = (size + kStep - 1) / kStep * kStep;
        const auto used = static_cast<std::size_t>(opened_ - reinterpret_cast<char*>(kBase));
        if (more > kReserved - used) return false;
        if (::mprotect(opened_, more, PROT_READ | PROT_WRITE) != 0) return false;
        opened_ += more;
        return true;
    }

    char* top_ = nullptr;
    char* opened_ = nullptr;
    Block* free_[64 + 64 * 4] = {};
};

Arena arena;

void* reallocate(void*, void* old, std::size_t old_size, std::size_t new_size) {
    if (old == nullptr) return new_size == 0 ? nullptr : arena.allocate(new_size);
    if (new_size == 0) {
        arena.release(old, old_size);
        return nullptr;
    }
    if (Arena::room(old_size) == Arena::room(new_size)) return old;
    void* fresh = arena.allocate(new_size);
    // Lua relies on shrinking never to fail.
    if (fresh == nullptr) return new_size <= old_size ? old : nullptr;
    std::memcpy(fresh, old, old_size < new_size ? old_size : new_size);
    arena.release(old, old_size);
    return fresh;
}

// --- input ---

struct Bytes {
    char* data = nullptr;
    std::size_t size = 0;
};

Bytes read_all(int fd) {
    Bytes bytes;
    std::size_t room = 0;
    for (;;) {
        if (bytes.size + 1 >= room) {  // room for the zero at the end
            room = room == 0 ? std::size_t{1} << 16U : room * 2;
            bytes.data = static_cast<char*>(std::realloc(bytes.data, room));
            if (bytes.data == nullptr) die(kLuaBadUse, "no memory for the input");
        }
        const ssize_t got = ::read(fd, bytes.data + bytes.size, room - bytes.size - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) die(kLuaBadUse, "cannot read the input");
        if (got == 0) {
            bytes.data[bytes.size] = '\0';
            return bytes;
        }
        bytes.size += static_cast<std::size_t>(got);
    }
}

/// Pushes the value of a JSON text. The case is made by us, so a mistake ends the program.
class JsonPusher {
  public:
    JsonPusher(lua_State* lua, Bytes text) : lua_(lua), at_(text.data), end_(at_ + text.size) {}

    void document() {
        value();
        if (peek() != '\0') bad();
    }

  private:
    [[noreturn]] static void bad() { die(kLuaBadUse, "the case is not JSON"); }

    char peek() {
        while (at_ < end_ && std::strchr(" \t\r\n", *at_) != nullptr && *at_ != '\0') ++at_;
        return at_ < end_ ? *at_ : '\0';
    }
    bool accept(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) bad();
    }
    bool word(const char* text) {
        const std::size_t size = std::strlen(text);
        if (static_cast<std::size_t>(end_ - at_) < size || std::memcmp(at_, text, size) != 0)
            return false;
        at_ += size;
        return true;
    }

    void value() {
        luaL_checkstack(lua_, 8, "case nested too deeply");
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                break;
        }
        if (word("null")) return lua_pushnil(lua_);
        if (word("true")) return lua_pushboolean(lua_, 1);
        if (word("false")) return lua_pushboolean(lua_, 0);
        number();
    }

    void object() {
        expect('{');
        lua_newtable(lua_);
        if (accept('}')) return;
        do {
            string();
            expect(':');
            value();
            lua_rawset(lua_, -3);
        } while (accept(','));
        expect('}');
    }

    void array() {
        expect('[');
        lua_newtable(lua_);
        if (accept(']')) return;
        lua_Integer index = 0;
        do {
            value();
            lua_rawseti(lua_, -2, ++index);
        } while (accept(','));
        expect(']');
    }

    void string() {
        expect('"');
        const char* start = at_;
        while (at_ < end_ && *at_ != '"' && *at_ != '\\') ++at_;
        if (at_ == end_ || *at_ != '"') bad();
        lua_pushlstring(lua_, start, static_cast<std::size_t>(at_ - start));
        ++at_;
    }

    void number() {
        char text[64];
        std::size_t size = 0;
        while (at_ < end_ && *at_ != '\0' && std::strchr("+-.eE0123456789", *at_) != nullptr) {
            if (size + 1 == sizeof text) bad();
            text[size++] = *at_++;
        }
        text[size] = '\0';
        // Integers stay integers, and text with a point or an exponent becomes a float.
        if (size == 0 || lua_stringtonumber(lua_, text) != size + 1) bad();
    }

    lua_State* lua_;
    const char* at_;
    const char* end_;
};

// --- the record ---

class Record {
  public:
    void text(const char* bytes) {
        for (; *bytes != '\0'; ++bytes) byte(*bytes);
    }
    void string(const char* bytes, std::size_t size) {
        byte('"');
        for (std::size_t i = 0; i < size; ++i) character(static_cast<unsigned char>(bytes[i]));
        byte('"');
    }
    void send() {
        for (std::size_t done = 0; done < size_;) {
            const ssize_t put = ::write(3, buffer_ + done, size_ - done);
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) ::_exit(1);
            done += static_cast<std::size_t>(put);
        }
        size_ = 0;
    }

  private:
    void byte(char c) {
        if (size_ == sizeof buffer_) send();
        buffer_[size_++] = c;
    }
    void character(unsigned char c) {
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') return byte(static_cast<char>(c));
        char escape[8];
        (void)std::snprintf(escape, sizeof escape, "\\u%04x", unsigned{c});
        text(escape);
    }
    char buffer_[1 << 12];
    std::size_t size_ = 0;
};

Record record;

[[noreturn]] void finish(int code) {
    (void)std::fflush(stdout);  // what it printed; never judged
    record.send();
    ::_exit(code);  // no finaliser, no lua_close
}

[[noreturn]] void exception(const char* what, std::size_t size) {
    record.text("{\"exception\":");
    record.string(what, size < 500 ? size : 500);
    record.text("}");
    finish(1);
}

/// A float must be seen as one: 1.0 is written "1.0".
void put_float(double value) {
    if (std::isnan(value)) return record.text("NaN");
    if (std::isinf(value)) return record.text(value > 0 ? "Infinity" : "-Infinity");
    char digits[40];
    (void)std::snprintf(digits, sizeof digits, "%.17g", value);
    record.text(digits);
    if (std::strpbrk(digits, ".e") == nullptr) record.text(".0");
}

void put_type(lua_State* lua, int index) {
    char text[32];
    const int size =
        std::snprintf(text, sizeof text, "<%s>", lua_typename(lua, lua_type(lua, index)));
    record.string(text, static_cast<std::size_t>(size));
}

/// By raw type: no metamethod is asked.
void put_value(lua_State* lua, int index) {
    char digits[32];
    std::size_t size = 0;
    switch (lua_type(lua, index)) {
        case LUA_TNIL:
            return record.text("null");
        case LUA_TBOOLEAN:
            return record.text(lua_toboolean(lua, index) != 0 ? "true" : "false");
        case LUA_TSTRING: {
            const char* text = lua_tolstring(lua, index, &size);
            return record.string(text, size);
        }
        case LUA_TNUMBER:
            if (lua_isinteger(lua, index) == 0) return put_float(lua_tonumber(lua, index));
            (void)std::snprintf(digits, sizeof digits, "%lld", lua_tointeger(lua, index));
            return record.text(digits);
        default:
            return put_type(lua, index);
    }
}

[[noreturn]] void answer(lua_State* lua, int index) {
    record.text("{\"answer\":");
    if (lua_type(lua, index) != LUA_TTABLE) {
        put_value(lua, index);
        record.text("}");
        finish(0);
    }
    record.text("{");
    bool first = true;
    for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
        if (!first) record.text(",");
        first = false;
        if (lua_type(lua, -2) == LUA_TSTRING)
            put_value(lua, -2);
        else
            put_type(lua, -2);
        record.text(":");
        put_value(lua, -1);
    }
    record.text("}}");
    finish(0);
}

// --- the language offered ---

std::int64_t budget = 0;

void on_count(lua_State*, lua_Debug*) {
    grader::lua_work::charge(grader::lua_work::kHookStep);
}

/// `load` with the mode fixed to text; the library's own function is the upvalue.
int load_text(lua_State* lua) {
    if (lua_gettop(lua) < 3) lua_settop(lua, 3);
    lua_pushliteral(lua, "t");
    lua_replace(lua, 3);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
    return lua_gettop(lua);
}

void remove(lua_State* lua, const char* field) {
    lua_pushnil(lua);
    lua_setfield(lua, -2, field);
}

void open_libraries(lua_State* lua) {
    constexpr luaL_Reg kLibraries[] = {
        {LUA_GNAME, luaopen_base},        {LUA_TABLIBNAME, luaopen_table},
        {LUA_STRLIBNAME, luaopen_string}, {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8},  {LUA_COLIBNAME, luaopen_coroutine}};
    for (const luaL_Reg& library : kLibraries) {
        luaL_requiref(lua, library.name, library.func, 1);
        lua_pop(lua, 1);
    }
    lua_pushglobaltable(lua);
    remove(lua, "dofile");
    remove(lua, "loadfile");
    lua_getfield(lua, -1, "load");
    lua_pushcclosure(lua, load_text, 1);
    lua_setfield(lua, -2, "load");
    lua_getfield(lua, -1, "string");
    remove(lua, "dump");  // makes binary chunks
    lua_pop(lua, 2);
    grader::lua_library::install(lua);
}

struct Request {
    Bytes source, input;
};
Request request;

/// Descriptor 0 holds the source's size in decimal, a newline, the source, the case.
Request read_request() {
    const Bytes all = read_all(0);
    char* at = nullptr;
    const unsigned long size = all.size == 0 ? 0 : std::strtoul(all.data, &at, 10);
    const char* const end = all.data + all.size;
    if (at == nullptr || *at++ != '\n' || size > static_cast<std::size_t>(end - at))
        die(kLuaBadUse, "descriptor 0 does not begin with the size of a source");
    return {{at, size}, {at + size, static_cast<std::size_t>(end - at) - size}};
}

/// The message of an error, or of what else was thrown, with a traceback on stderr.
int on_error(lua_State* lua) {
    const char* message = lua_tostring(lua, 1);
    if (message == nullptr)
        message = lua_pushfstring(lua, "error of type %s", luaL_typename(lua, 1));
    luaL_traceback(lua, lua, message, 1);
    (void)std::fprintf(stderr, "%s\n", lua_tostring(lua, -1));
    lua_pushstring(lua, message);
    return 1;
}

/// The state was seeded by a clock that stands still, and perhaps before a fork.
void seed_random(lua_State* lua) {
    lua_Integer seeds[2] = {};
    if (::getrandom(seeds, sizeof seeds, 0) != sizeof seeds) die(kLuaBadUse, "no random numbers");
    lua_getglobal(lua, LUA_MATHLIBNAME);
    lua_getfield(lua, -1, "randomseed");
    lua_pushinteger(lua, seeds[0]);
    lua_pushinteger(lua, seeds[1]);
    lua_call(lua, 2, 0);
    lua_pop(lua, 1);
}

/// Runs protected: anything that Lua raises comes out of the pcall around it.
int run_case(lua_State* lua) {
    seed_random(lua);
    lua_sethook(lua, on_count, LUA_MASKCOUNT, grader::lua_work::kHookStep);
    if (luaL_loadbufferx(lua, request.source.data, request.source.size, "@submission.lua", "t") !=
        LUA_OK)
        return lua_error(lua);
    lua_call(lua, 0, 0);
    lua_pushglobaltable(lua);
    lua_pushliteral(lua, "predict");
    lua_rawget(lua, -2);
    if (lua_type(lua, -1) != LUA_TFUNCTION)
        return luaL_error(lua, "there is no global function predict");
    JsonPusher(lua, request.input).document();
    const int input = lua_gettop(lua);
    lua_pushvalue(lua, input - 1);
    for (const char* part : {"workload", "architecture", "mapping"}) {
        lua_pushstring(lua, part);
        lua_rawget(lua, input);
    }
    lua_call(lua, 3, 1);
    answer(lua, lua_gettop(lua));
}

int prepare(lua_State* lua) {
    open_libraries(lua);
    return 0;
}

[[noreturn]] void run() {
    lua_State* lua = lua_newstate(reallocate, nullptr);
    if (lua == nullptr) die(kLuaBadUse, "no memory for Lua");
    lua_pushcfunction(lua, prepare);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) die(kLuaBadUse, "no memory for Lua's libraries");
    perfjudge_zygote_serve();  // in a zygote, what follows is the child of one case
    request = read_request();
    grader::lua_work::left = budget;
    lua_pushcfunction(lua, on_error);
    lua_pushcfunction(lua, run_case);
    (void)lua_pcall(lua, 0, 0, 1);  // returns only after an error
    std::size_t size = 0;
    const char* what = lua_tolstring(lua, -1, &size);
    if (what == nullptr) exception("an error without text", 21);
    exception(what, size);
}

// A stack in the image itself: its address does not depend on address space randomisation.
alignas(4096) char fixed_stack[8U << 20U];

[[noreturn]] void on_fixed_stack(void (*function)()) {
    asm volatile(
        "mov %0, %%rsp\n\t"
        "xor %%ebp, %%ebp\n\t"
        "call *%1\n\t"
        "ud2"
        :
        : "r"(fixed_stack + sizeof fixed_stack), "r"(function)
        : "memory");
    __builtin_unreachable();
}

}  // namespace

void grader::lua_work::used_up(std::int64_t missing) {
    left = INT64_MAX;  // what follows is ours
    char why[80];
    (void)std::snprintf(why, sizeof why, "the work budget is used up, %lld are missing",
                        static_cast<long long>(missing));
    die(kLuaOutOfInstructions, why);
}

int main(int argc, char** argv) {
    if (argc != 2) die(kLuaBadUse, "usage: perfjudge-lua BUDGET");
    budget = std::strtoll(argv[1], nullptr, 10);
    on_fixed_stack(run);
}
