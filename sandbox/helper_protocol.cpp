// Bodies of frames, written and read field by field in one order.
// Does not send anything.
// See helper_protocol.hpp.
#include "sandbox/helper_protocol.hpp"

namespace sandbox::helper_protocol {

namespace {

void write(wire::Writer& writer, const std::vector<std::string>& list) {
    writer.number(list.size());
    for (const std::string& text : list) writer.text(text);
}

void read(wire::Reader& reader, std::vector<std::string>& list) {
    list.clear();
    for (std::uint64_t n = reader.count(); n > 0 && reader.ok(); --n)
        list.emplace_back(reader.text());
}

/// An enumerator that travelled as a number; a number beyond the last one is refused.
template <class Enum>
bool read_enum(wire::Reader& reader, Enum& value, Enum last) {
    const std::uint64_t number = reader.number();
    if (number > static_cast<std::uint64_t>(last)) return false;
    value = static_cast<Enum>(number);
    return reader.ok();
}

}  // namespace

void write(wire::Writer& writer, const Limits& limits) {
    writer.number(static_cast<std::uint64_t>(limits.cpu_time.count()))
        .number(static_cast<std::uint64_t>(limits.wall_time.count()))
        .number(limits.memory_bytes)
        .number(limits.output_bytes)
        .number(limits.file_bytes)
        .number(limits.inodes)
        .number(limits.processes)
        .number(limits.open_files);
}

bool read(wire::Reader& reader, Limits& limits) {
    limits.cpu_time = std::chrono::milliseconds(reader.number());
    limits.wall_time = std::chrono::milliseconds(reader.number());
    limits.memory_bytes = reader.number();
    limits.output_bytes = reader.number();
    limits.file_bytes = reader.number();
    limits.inodes = static_cast<std::uint32_t>(reader.number());
    limits.processes = static_cast<std::uint32_t>(reader.number());
    limits.open_files = static_cast<std::uint32_t>(reader.number());
    return reader.ok() && check(limits).has_value();
}

std::string encode(const StartRequest& request) {
    return wire::Writer()
        .number(static_cast<std::uint64_t>(request.mode))
        .number(request.try_it ? 1 : 0)
        .number(request.ahead ? 1 : 0)
        .text(request.scratch)
        .text(encode(request.views))
        .bytes();
}

bool decode(std::string_view body, StartRequest& request) {
    wire::Reader reader(body);
    if (!read_enum(reader, request.mode, Mode::portable)) return false;
    request.try_it = reader.number() != 0;
    request.ahead = reader.number() != 0;
    request.scratch = reader.text();
    const auto views = reader.text();
    return reader.finished() && decode(views, request.views);
}

std::string encode(const std::vector<View>& views) {
    wire::Writer writer;
    writer.number(views.size());
    for (const View& view : views) {
        writer.number(static_cast<std::uint64_t>(view.profile)).number(view.entries.size());
        for (const ViewEntry& entry : view.entries)
            writer.number(static_cast<std::uint64_t>(entry.kind))
                .text(entry.target)
                .text(entry.source);
    }
    return writer.bytes();
}

bool decode(std::string_view body, std::vector<View>& views) {
    wire::Reader reader(body);
    views.clear();
    for (std::uint64_t n = reader.count(); n > 0 && reader.ok(); --n) {
        View& view = views.emplace_back();
        if (!read_enum(reader, view.profile, Profile::shell)) return false;
        for (std::uint64_t m = reader.count(); m > 0 && reader.ok(); --m) {
            ViewEntry& entry = view.entries.emplace_back();
            if (!read_enum(reader, entry.kind, ViewEntry::Kind::link)) return false;
            entry.target = reader.text();
            entry.source = reader.text();
        }
    }
    return reader.finished();
}

std::string encode(const RunRequest& request) {
    wire::Writer writer;
    writer.number(request.by_image ? 1 : 0).number(request.zygote ? 1 : 0).text(request.path);
    write(writer, request.argv);
    write(writer, request.env);
    write(writer, request.limits);
    return writer.bytes();
}

bool decode(std::string_view body, RunRequest& request) {
    wire::Reader reader(body);
    request.by_image = reader.number() != 0;
    request.zygote = reader.number() != 0;
    request.path = reader.text();
    read(reader, request.argv);
    read(reader, request.env);
    return read(reader, request.limits) && reader.finished();
}

std::string encode(const Outcome& o) {
    wire::Writer writer;
    writer.number(static_cast<std::uint64_t>(o.ending))
        .number(static_cast<std::uint64_t>(o.exit_code))
        .number(static_cast<std::uint64_t>(o.signal))
        .text(o.blocked_call)
        .number(o.landlock_abi)
        .number(o.calls_named ? 1 : 0)
        .number(o.leftover_processes ? 1 : 0)
        .number(o.forked ? 1 : 0);
    for (const bool hit : {o.limits_hit.processes, o.limits_hit.disk, o.limits_hit.inodes,
                           o.limits_hit.file_size, o.limits_hit.memory})
        writer.number(hit ? 1 : 0);
    const LimitsInForce& f = o.limits_in_force;
    for (const Limiter limiter : {f.cpu, f.wall, f.memory, f.processes, f.output, f.files})
        writer.number(static_cast<std::uint64_t>(limiter));
    writer.number(o.usage.cpu_us)
        .number(o.usage.wall_us)
        .number(o.usage.peak_memory_bytes)
        .number(o.usage.processes_peak)
        .number(o.usage.output_bytes);
    writer.text(o.out).text(o.err).text(o.answer);
    return writer.bytes();
}

bool decode(std::string_view body, Outcome& o) {
    wire::Reader reader(body);
    if (!read_enum(reader, o.ending, Ending::policy_violation)) return false;
    o.exit_code = static_cast<int>(reader.number());
    o.signal = static_cast<int>(reader.number());
    o.blocked_call = reader.text();
    o.landlock_abi = static_cast<std::uint32_t>(reader.number());
    o.calls_named = reader.number() != 0;
    o.leftover_processes = reader.number() != 0;
    o.forked = reader.number() != 0;
    for (bool* hit : {&o.limits_hit.processes, &o.limits_hit.disk, &o.limits_hit.inodes,
                      &o.limits_hit.file_size, &o.limits_hit.memory})
        *hit = reader.number() != 0;
    LimitsInForce& f = o.limits_in_force;
    for (Limiter* limiter : {&f.cpu, &f.wall, &f.memory, &f.processes, &f.output, &f.files}) {
        if (!read_enum(reader, *limiter, Limiter::mount)) return false;
    }
    o.usage.cpu_us = reader.number();
    o.usage.wall_us = reader.number();
    o.usage.peak_memory_bytes = reader.number();
    o.usage.processes_peak = static_cast<std::uint32_t>(reader.number());
    o.usage.output_bytes = reader.number();
    o.out = reader.text();
    o.err = reader.text();
    o.answer = reader.text();
    return reader.finished();
}

std::string encode(const Error& error) {
    wire::Writer writer;
    writer.number(static_cast<std::uint64_t>(error.code))
        .number(static_cast<std::uint64_t>(error.sys_errno))
        .text(error.what);
    return writer.bytes();
}

bool decode(std::string_view body, Error& error) {
    wire::Reader reader(body);
    if (!read_enum(reader, error.code, Error::Code::supervisor_failed)) return false;
    error.sys_errno = static_cast<int>(reader.number());
    error.what = reader.text();
    return reader.finished();
}

}  // namespace sandbox::helper_protocol
