// A Summary as text for people and as one JSON object for programs.
// Computes no number and opens no file. Hides the numbers of hidden cases unless told otherwise.
// Called by `perfjudge grade`.
#pragma once

#include "grader/summary.hpp"

#include <string>

namespace grader {

struct ReportOptions {
    bool colour = false;
    bool show_hidden = false;  // expected, actual and error of hidden cases
};

/// Tasks x models, then one line a model, then what was not accepted and why.
std::string report_table(const Summary& summary, const ReportOptions& options);

/// summary.json and `--json`: one line without its newline. Fields: docs/report-format.md.
std::string report_json(const Summary& summary, const ReportOptions& options);

}  // namespace grader
