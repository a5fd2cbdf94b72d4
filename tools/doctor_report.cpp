// Lines and columns; fields and values.
// Judges nothing.
// See doctor_report.hpp.
#include "tools/doctor_report.hpp"

#include "grader/json.hpp"
#include "tools/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tools {

namespace {

using sandbox::doctor::Finding;
using sandbox::doctor::State;

std::string_view colour_of(State state) {
    switch (state) {
        case State::ok:
            return "\x1b[32m";
        case State::limited:
            return "\x1b[33m";
        case State::missing:
            return "\x1b[31m";
    }
    return "";
}

/// Padded before it is coloured: escapes have no width.
std::string state_text(State state, bool colour) {
    const std::string word = fmt::format("{:<7}", sandbox::doctor::name(state));
    return colour ? fmt::format("{}{}\x1b[0m", colour_of(state), word) : word;
}

/// One cause has many effects: its remedy is written out once.
std::string finding_lines(const Finding& finding, std::size_t width, bool colour,
                          const std::string& remedy_before) {
    const std::string line =
        fmt::format("  {}  {:<{}}  {}; {}\n", state_text(finding.state, colour), finding.name,
                    width, finding.found, finding.meaning);
    if (finding.remedy.empty()) return line;
    return line + fmt::format("  {:<7}  {:<{}}  -> {}\n", "", "", width,
                              finding.remedy == remedy_before ? "the same" : finding.remedy);
}

std::string verdict_lines(const Diagnosis& diagnosis) {
    std::string text = diagnosis.mode.empty()
                           ? fmt::format("mode: none; {}\n", diagnosis.mode_error)
                           : fmt::format("mode: {}\n", diagnosis.mode);
    std::string working;
    for (const LanguageCheck& check : diagnosis.languages) {
        if (check.works) working += (working.empty() ? "" : ", ") + check.language;
    }
    text += fmt::format("languages: {}\n", working.empty() ? "none" : working);
    text += diagnosis.can_grade() ? "perfjudge can grade here\n"
                                  : "perfjudge cannot grade here: see what is missing above\n";
    return text;
}

}  // namespace

std::string doctor_table(const Diagnosis& diagnosis, bool colour) {
    std::size_t width = 0;
    for (const Finding& finding : diagnosis.findings) width = std::max(width, finding.name.size());
    std::string text, area, remedy;
    for (const Finding& finding : diagnosis.findings) {
        if (finding.area != area) text += finding.area + '\n';
        area = finding.area;
        text += finding_lines(finding, width, colour, remedy);
        remedy = finding.remedy;
    }
    return text + '\n' + verdict_lines(diagnosis);
}

std::string doctor_json(const Diagnosis& diagnosis) {
    using grader::Json;
    Json limits;
    if (diagnosis.limits) {
        limits = Json::object();
        for (const auto& [limit, limiter] : limiters(*diagnosis.limits))
            limits.set(limit, sandbox::name(limiter));
    }
    Json languages = Json::array();
    for (const LanguageCheck& check : diagnosis.languages)
        languages.push(Json::object(
            {{"language", check.language}, {"works", check.works}, {"words", check.words}}));
    Json findings = Json::array();
    for (const Finding& finding : diagnosis.findings)
        findings.push(Json::object({{"area", finding.area},
                                    {"name", finding.name},
                                    {"state", sandbox::doctor::name(finding.state)},
                                    {"found", finding.found},
                                    {"meaning", finding.meaning},
                                    {"remedy", finding.remedy}}));
    return grader::dump(
        Json::object({{"version", version()},
                      {"can_grade", diagnosis.can_grade()},
                      {"mode", diagnosis.mode.empty() ? Json() : Json(diagnosis.mode)},
                      {"mode_error", diagnosis.mode.empty() ? Json(diagnosis.mode_error) : Json()},
                      {"limits_in_force", std::move(limits)},
                      {"languages", std::move(languages)},
                      {"findings", std::move(findings)}}));
}

}  // namespace tools
