// The report as one HTML file: Chart.js, our scripts and the data are in it; it loads nothing, opens from a disk, and
// without JavaScript it is tables. Its Content-Security-Policy names the hashes of its two scripts and forbids all
// else. 10,000 attempts take about a second and a few MB.
#pragma once

#include "tool/report/page_model.h"

#include <span>
#include <string>
#include <string_view>

namespace agentic {

struct PageOptions {
  /// For a page that is served while a run goes on: it requests "state" beside it every two seconds, and reloads itself
  /// when the answer differs from this text. Empty: the page makes no requests.
  std::string followState;
};

std::string reportPage(std::span<const RunReport> runs, const PageOptions &options);
std::string pageHtml(const PageModel &page, const PageOptions &options);

/// Returns the files of tool/report/page and Chart.js by name, embedded at build time.
std::string_view pageFile(std::string_view name);

} // namespace agentic
