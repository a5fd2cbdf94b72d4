// Entry code of C++ submissions: reads one case from descriptor 0, calls predict, writes one record
// to descriptor 3. Does not judge and does not defend the answer: a submission shares the process
// and may forge its own record, and nothing else. Built inside the compile jail, linked to every
// submission with --wrap=main, so that a main of the submission stays there and is never called.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <sys/syscall.h>

#include "perfmodel.hpp"

namespace {

// Raw system calls: a submission can define `write`, `read` or `_exit`, but not the instruction.
long system_call(long number, long first, const void* second, std::size_t third) {
    long result = 0;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(first), "S"(second), "d"(third)
                 : "rcx", "r11", "memory");
    return result;
}

[[noreturn]] void leave(long code) {
    for (;;) (void)system_call(SYS_exit_group, code, nullptr, 0);
}

constexpr long kBadInput = 120;  // never with inputs of ours

// Reads the JSON of docs/task-format.md; it is made by us, so a mistake ends the program.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    template <class Member>
    void object(Member member) {
        expect('{');
        if (accept('}')) return;
        do {
            const std::string key = string();
            expect(':');
            member(key);
        } while (accept(','));
        expect('}');
    }

    template <class Item>
    void list(Item item) {
        expect('[');
        if (accept(']')) return;
        do item();
        while (accept(','));
        expect(']');
    }

    std::string string() {
        expect('"');
        std::string out;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '\\') leave(kBadInput);
            out += text_[at_++];
        }
        if (at_ == text_.size()) leave(kBadInput);
        ++at_;
        return out;
    }

    std::int64_t integer() {
        skip_space();
        const bool negative = at_ < text_.size() && text_[at_] == '-';
        if (negative) ++at_;
        std::int64_t value = 0;
        const std::size_t start = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
            if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) leave(kBadInput);
            if (__builtin_add_overflow(value, text_[at_++] - '0', &value)) leave(kBadInput);
        }
        if (at_ == start) leave(kBadInput);
        return negative ? -value : value;
    }

    double number() {
        skip_space();
        const std::size_t start = at_;
        constexpr std::string_view kNumber = "+-.eE0123456789";
        while (at_ < text_.size() && kNumber.find(text_[at_]) != kNumber.npos) ++at_;
        if (at_ == start) leave(kBadInput);
        return std::strtod(std::string(text_.substr(start, at_ - start)).c_str(), nullptr);
    }

    bool boolean() {
        if (word("true")) return true;
        if (!word("false")) leave(kBadInput);
        return false;
    }

    bool null() { return word("null"); }

    void end() {
        skip_space();
        if (at_ != text_.size()) leave(kBadInput);
    }

  private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                      text_[at_] == '\r' || text_[at_] == '\t'))
            ++at_;
    }
    bool accept(char wanted) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) leave(kBadInput);
    }
    bool word(std::string_view wanted) {
        skip_space();
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

struct Case {
    Workload workload;
    Architecture architecture;
    Mapping mapping;
};

Term read_term(Reader& in) {
    Term term{};
    int place = 0;
    in.list([&] {
        if (place++ == 0)
            term.dimension = in.string();
        else
            term.coefficient = in.integer();
    });
    if (place != 2) leave(kBadInput);
    return term;
}

Loop read_loop(Reader& in) {
    Term term = read_term(in);
    return {std::move(term.dimension), term.coefficient};
}

Tensor read_tensor(Reader& in) {
    Tensor tensor{};
    in.object([&](const std::string& key) {
        if (key == "name")
            tensor.name = in.string();
        else if (key == "output")
            tensor.output = in.boolean();
        else if (key == "ranks")
            in.list([&] {
                auto& rank = tensor.ranks.emplace_back();
                in.list([&] { rank.push_back(read_term(in)); });
            });
        else
            leave(kBadInput);
    });
    return tensor;
}

void read_workload(Reader& in, Workload& workload) {
    in.object([&](const std::string& key) {
        if (key == "name")
            workload.name = in.string();
        else if (key == "dimensions")
            in.object([&](const std::string& name) { workload.dimensions[name] = in.integer(); });
        else if (key == "tensors")
            in.list([&] { workload.tensors.push_back(read_tensor(in)); });
        else
            leave(kBadInput);
    });
}

Level read_level(Reader& in) {
    Level level{};
    in.object([&](const std::string& key) {
        if (key == "name")
            level.name = in.string();
        else if (key == "word_bits")
            level.word_bits = in.integer();
        else if (key == "instances")
            level.instances = in.integer();
        else if (in.null())
            return;
        else if (key == "capacity_words")
            level.capacity_words = in.integer();
        else if (key == "read_bandwidth")
            level.read_bandwidth = in.number();
        else if (key == "write_bandwidth")
            level.write_bandwidth = in.number();
        else
            leave(kBadInput);
    });
    return level;
}

MappingLevel read_mapping_level(Reader& in) {
    MappingLevel level{};
    in.object([&](const std::string& key) {
        if (key == "name")
            level.name = in.string();
        else if (key == "temporal")
            in.list([&] { level.temporal.push_back(read_loop(in)); });
        else if (key == "spatial")
            in.list([&] { level.spatial.push_back(read_loop(in)); });
        else if (key == "keep")
            in.list([&] { level.keep.push_back(in.string()); });
        else
            leave(kBadInput);
    });
    return level;
}

Case read_case(std::string_view text) {
    Reader in(text);
    Case out;
    in.object([&](const std::string& part) {
        if (part == "workload") return read_workload(in, out.workload);
        in.object([&](const std::string& key) {
            if (key != "levels") leave(kBadInput);
            if (part == "architecture")
                in.list([&] { out.architecture.levels.push_back(read_level(in)); });
            else if (part == "mapping")
                in.list([&] { out.mapping.levels.push_back(read_mapping_level(in)); });
            else
                leave(kBadInput);
        });
    });
    in.end();
    return out;
}

std::string read_all() {
    static char chunk[1 << 16];
    std::string text;
    for (;;) {
        const long got = system_call(SYS_read, 0, chunk, sizeof chunk);
        if (got == -EINTR) continue;
        if (got < 0) leave(kBadInput);
        if (got == 0) return text;
        text.append(chunk, static_cast<std::size_t>(got));
    }
}

// The record, through a buffer of its own: nothing that a submission can define is on the way.
char record[1 << 12];
std::size_t record_size = 0;

void flush_record() {
    for (std::size_t done = 0; done < record_size;) {
        const long put = system_call(SYS_write, 3, record + done, record_size - done);
        if (put == -EINTR) continue;
        if (put <= 0) leave(1);
        done += static_cast<std::size_t>(put);
    }
    record_size = 0;
}

void put(char byte) {
    if (record_size == sizeof record) flush_record();
    record[record_size++] = byte;
}

void put_text(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
}

void put_string(const char* bytes, std::size_t size) {
    constexpr const char* kHex = "0123456789abcdef";
    put('"');
    for (std::size_t i = 0; i < size; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\') {
            put(bytes[i]);
            continue;
        }
        put_text("\\u00");
        put(kHex[byte >> 4U]);
        put(kHex[byte & 15U]);
    }
    put('"');
}

void put_integer(std::int64_t value) {
    char digits[20];
    std::size_t count = 0;
    const bool negative = value < 0;
    std::uint64_t rest = static_cast<std::uint64_t>(value);
    if (negative) rest = 0 - rest;
    do {
        digits[count++] = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (negative) put('-');
    while (count != 0) put(digits[--count]);
}

[[noreturn]] void answer(const Prediction& prediction) {
    put_text("{\"answer\":{");
    bool first = true;
    for (const auto& [name, value] : prediction) {
        if (!first) put(',');
        first = false;
        put_string(name.data(), name.size());
        put(':');
        put_integer(value);
    }
    put_text("}}");
    flush_record();
    leave(0);
}

[[noreturn]] void exception(const char* text) {
    constexpr std::size_t kMost = 500;
    std::size_t size = 0;
    while (text != nullptr && size < kMost && text[size] != '\0') ++size;
    put_text("{\"exception\":");
    put_string(text, size);
    put('}');
    flush_record();
    leave(1);
}

bool entered = false;

}  // namespace

// What the start code calls for `main` under --wrap=main. It never returns: no static destructor
// and no atexit handler of a submission runs after the record.
extern "C" int __wrap_main() {
    if (entered) leave(1);  // a submission that calls main again
    entered = true;
    try {
        const Case input = read_case(read_all());
        const Prediction prediction = predict(input.workload, input.architecture, input.mapping);
        (void)std::fflush(
            nullptr);  // what it printed; before the record, so that it cannot follow it
        answer(prediction);
    } catch (const std::exception& error) {
        exception(error.what());
    } catch (...) {
        exception("an exception that is no std::exception");
    }
}
