// One line of results.jsonl: a submission and repeat, with every case and every wrong quantity.
// Private detail: hidden expected numbers are in it. Writes no file: store.hpp does.
// Called by the coordinator when a repeat has ended, and when results are read back.
#pragma once

#include "grader/aggregate.hpp"
#include "grader/case_output.hpp"
#include "grader/error.hpp"
#include "grader/extract.hpp"
#include "grader/json.hpp"
#include "grader/language.hpp"
#include "grader/submission.hpp"
#include "grader/verdict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// What the coordinator needs to know of a repeat again after a restart.
struct Repeat {
    Judgement judgement;
    Flags flags = 0;
    std::string detail;  // of a verdict without cases
    RunResult run;       // no cases: CE, SV breaks_worker, JE
    std::uint64_t slowest_cpu_us = 0;
};

struct Record {
    Key key;
    std::uint32_t number = 0;  // of the repeat
    std::optional<Language> language;
    std::string source_sha256;  // "" without code
    Repeat repeat;
};

/// Detail for people, beside the Record.
struct RecordDetail {
    const Extraction& extraction;        // its source is not written
    const BuildOutput* build = nullptr;  // null: nothing was built
    Json::Array cases;                   // of case_detail, in order
};

/// One case: verdict, usage, wrong quantities, and the first bytes of what was printed.
Json case_detail(std::uint32_t index, bool visible, const CaseResult& result,
                 const CaseOutput& output);

/// One line without its newline.
std::string encode_record(const Record& record, RecordDetail detail);

/// Errors: bad_input, saying what is wrong with the line.
Result<Record> decode_record(std::string_view line);

/// Names of the flags that are set, in the order of all_flags(); only those in `mask`.
Json flag_names(Flags flags, Flags mask = 255);

}  // namespace grader
