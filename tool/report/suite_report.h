// Formats the suite's rows: summary, JSON, text table, CSV, Markdown. Pure.
#pragma once

#include "tool/model/suite.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace agentic {

SuiteSummary summarize(const std::vector<SuiteRow> &rows);

/// Returns {"kernels": [{"kernel", "speedup": {"ratio","low","high"}, …}], "geometric_mean", "fast_1", "fast_1.5",
/// "fast_2", "fast_4", "machine", "compiler", …}. Unknown values are null; `speedup` is null only if the kernel failed.
nlohmann::json suiteJson(const Suite &suite);

/// Returns a table with aligned columns, numbers to the right; reasons below the table. No colour.
std::string suiteText(const Suite &suite);
/// Returns RFC 4180: a header line, one line per kernel, LF line ends; empty = not known.
std::string suiteCsv(const Suite &suite);
/// Returns a GitHub table, the summary, and the reasons as a list.
std::string suiteMarkdown(const Suite &suite);

} // namespace agentic
