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
  /// Of a page that is served while a run goes on: it asks for "state" beside it every two seconds, and loads itself
  /// again when the answer is another text than this. Empty: a page that asks for nothing.
  std::string followState;
};

std::string reportPage(std::span<const RunReport> runs, const PageOptions &options);
std::string pageHtml(const PageModel &page, const PageOptions &options);

/// The files of tool/report/page and Chart.js, by name; in the tool since it was built.
std::string_view pageFile(std::string_view name);

} // namespace agentic
