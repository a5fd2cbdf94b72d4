// Work inside liblua that no library function of ours sees, charged where the linker can reach it:
// -Wl,--wrap=NAME (list in meson.build) sends liblua's calls of NAME here. So `==` on long strings,
// numbers read from text, table.sort and every other table function pay for what they do.
// Does not change what any of them does. A name that liblua no longer has fails the link.
#include "grader/lua_host_work.hpp"

#include <lua.hpp>

#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace work = grader::lua_work;

namespace {

void charge_text(int size) {
    work::charge(work::kNumberShown + (size > 0 ? size * work::kDigitShown : 0));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker's names
extern "C" {

int __real_memcmp(const void* left, const void* right, std::size_t size);
std::size_t __real_strlen(const char* text);
double __real_fmod(double dividend, double divisor);
int __real_lua_geti(lua_State* lua, int index, lua_Integer key);
void __real_lua_seti(lua_State* lua, int index, lua_Integer key);
int __real_lua_rawequal(lua_State* lua, int left, int right);
int __real_lua_next(lua_State* lua, int index);
void __real_luaL_addvalue(luaL_Buffer* buffer);
int __real_lua_compare(lua_State* lua, int left, int right, int operation);
int __real_lua_load(lua_State* lua, lua_Reader reader, void* data, const char* name,
                    const char* mode);
int __vsnprintf_chk(char* out, std::size_t room, int flag, std::size_t size_of_out,
                    const char* format, va_list arguments);
// Of liblua's inside: the types do not matter here.
std::size_t __real_luaO_str2num(const char* text, void* out);
void __real_luaT_getvarargs(lua_State* lua, void* call, void* where, int wanted);
void __real_luaD_poscall(lua_State* lua, void* call, int results);

/// The pivot of table.sort in a lopsided array depends on it; see `time` in lua_host.cpp.
clock_t clock() {
    return 0;
}

int __wrap_memcmp(const void* left, const void* right, std::size_t size) {
    work::charge(static_cast<std::int64_t>(size) / work::kBytesCompared);
    return __real_memcmp(left, right, size);
}

std::size_t __wrap_strlen(const char* text) {
    const std::size_t size = __real_strlen(text);
    work::charge(static_cast<std::int64_t>(size) / work::kBytesCompared);
    return size;
}

/// The order of strings in the C locale, which is the only one here.
int __wrap_strcoll(const char* left, const char* right) {
    std::size_t same = 0;
    while (left[same] == right[same] && left[same] != '\0') ++same;
    work::charge_bytes(same, work::kBytesOrdered);
    return static_cast<unsigned char>(left[same]) - static_cast<unsigned char>(right[same]);
}

/// glibc divides bit by bit.
double __wrap_fmod(double dividend, double divisor) {
    int high = 0;
    int low = 0;
    (void)std::frexp(dividend, &high);
    (void)std::frexp(divisor, &low);
    if (high > low) work::charge((high - low) / work::kBitsDivided);
    return __real_fmod(dividend, divisor);
}

/// Every number that liblua turns into text.
__attribute__((format(printf, 3, 4))) int __wrap_snprintf(char* out, std::size_t room,
                                                          const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = std::vsnprintf(out, room, format, arguments);
    va_end(arguments);
    charge_text(size);
    return size;
}

/// The same, as fortified builds of liblua call it.
__attribute__((format(printf, 5, 6))) int __wrap___snprintf_chk(char* out, std::size_t room,
                                                                int flag, std::size_t size_of_out,
                                                                const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = __vsnprintf_chk(out, room, flag, size_of_out, format, arguments);
    va_end(arguments);
    charge_text(size);
    return size;
}

std::size_t __wrap_luaO_str2num(const char* text, void* out) {
    work::charge_bytes(__real_strlen(text), work::kBytesRead);
    return __real_luaO_str2num(text, out);
}

int __wrap_lua_geti(lua_State* lua, int index, lua_Integer key) {
    work::charge(work::kElement);
    return __real_lua_geti(lua, index, key);
}

void __wrap_lua_seti(lua_State* lua, int index, lua_Integer key) {
    work::charge(work::kElement);
    __real_lua_seti(lua, index, key);
}

/// An error message tries every global as the name of the function that raised it.
int __wrap_lua_rawequal(lua_State* lua, int left, int right) {
    work::charge(work::kNameTried);
    return __real_lua_rawequal(lua, left, right);
}

/// For each entry that `pairs` gives.
int __wrap_lua_next(lua_State* lua, int index) {
    work::charge(work::kElement);
    return __real_lua_next(lua, index);
}

/// table.concat, per element.
void __wrap_luaL_addvalue(luaL_Buffer* buffer) {
    work::charge(work::kValueAdded);
    __real_luaL_addvalue(buffer);
}

int __wrap_lua_compare(lua_State* lua, int left, int right, int operation) {
    work::charge(work::kComparison);
    return __real_lua_compare(lua, left, right, operation);
}

/// `...` as arguments, results or in a table: copied by one instruction, however many.
void __wrap_luaT_getvarargs(lua_State* lua, void* call, void* where, int wanted) {
    __real_luaT_getvarargs(lua, call, where, wanted);
    if (wanted < 0) work::charge(lua_gettop(lua) / work::kValues);
}

void __wrap_luaD_poscall(lua_State* lua, void* call, int results) {
    work::charge(results / work::kValues);
    __real_luaD_poscall(lua, call, results);
}

struct Source {
    lua_Reader reader;
    void* data;
};

static const char* read_charged(lua_State* lua, void* data, std::size_t* size) {
    const auto* source = static_cast<const Source*>(data);
    const char* piece = source->reader(lua, source->data, size);
    if (piece != nullptr) work::charge(static_cast<std::int64_t>(*size) * work::kByteCompiled);
    return piece;
}

int __wrap_lua_load(lua_State* lua, lua_Reader reader, void* data, const char* name,
                    const char* mode) {
    Source source{reader, data};
    return __real_lua_load(lua, read_charged, &source, name, mode);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
