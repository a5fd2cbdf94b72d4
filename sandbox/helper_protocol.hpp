// What the frames between library and helper mean.
// Does not move bytes: wire.hpp does.
// Used by jail.cpp and by helper/main.cpp.
#pragma once

#include "sandbox/limits.hpp"
#include "sandbox/mode.hpp"
#include "sandbox/outcome.hpp"
#include "sandbox/view.hpp"
#include "sandbox/wire.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sandbox::helper_protocol {

constexpr int kSocketFd = 3;  // of the helper

/// Every request is answered by exactly one frame: ok with a body, or an Error.
enum class Request : std::uint32_t {
    start,      // StartRequest -> nothing
    create,     // profile, limits -> nothing
    put_file,   // name, bytes -> nothing
    run,        // RunRequest; descriptors: stdin, then the image if there is one -> Outcome
    reset,      // -> nothing
    take_file,  // name, max_bytes -> bytes
    destroy     // -> nothing
};
enum class Answer : std::uint32_t { ok, error };

struct RunRequest {
    bool by_image = false;
    bool zygote = false;  // fork it from a zygote, where the host allows
    std::string path;     // if not by_image
    std::vector<std::string> argv, env;
    Limits limits;
};

struct StartRequest {
    Mode mode{};
    bool try_it = false;  // make one jail at once: what cannot be made here is known at the start
    bool ahead = true;    // make jails ahead of need, in full mode
    std::string scratch;  // folder for private folders of compilers, in portable mode
    std::vector<View> views;
};

std::string encode(const StartRequest& request);
bool decode(std::string_view body, StartRequest& request);

std::string encode(const std::vector<View>& views);
bool decode(std::string_view body, std::vector<View>& views);

std::string encode(const RunRequest& request);
bool decode(std::string_view body, RunRequest& request);

std::string encode(const Outcome& outcome);
bool decode(std::string_view body, Outcome& outcome);

std::string encode(const Error& error);
bool decode(std::string_view body, Error& error);

void write(wire::Writer& writer, const Limits& limits);
bool read(wire::Reader& reader, Limits& limits);

}  // namespace sandbox::helper_protocol
