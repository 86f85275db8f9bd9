#include "tool/cli/report_follow.h"

#include "tool/base/files.h"
#include "tool/cli/common.h"
#include "tool/cli/report_server.h"
#include "tool/report/page.h"
#include "tool/run/run_reports.h"
#include "tool/search/journal.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace agentic {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kStaysAfterTheEnd = std::chrono::minutes(1);

/// Journals only grow; one that does not grow may belong to a killed run.
std::string stateOf(const std::vector<std::string> &directories) {
  std::string state;
  for (const std::string &directory : directories) {
    std::error_code error;
    const auto size = fs::file_size(directory + "/journal.jsonl", error);
    state += (error ? "-" : std::to_string(size)) + (isBeingWritten(directory) ? "+" : ".");
  }
  return state;
}

/// A run that cannot be read now is left out: its journal's next change brings it back.
std::string pageOf(const std::vector<std::string> &directories, const std::string &state) {
  std::vector<RunReport> runs;
  for (const std::string &directory : directories)
    if (Result<RunReport> run = readRunReport(directory))
      runs.push_back(std::move(*run));
  return reportPage(runs, {.followState = state});
}

} // namespace

Result<void> followReport(Console &console, const std::vector<std::string> &runDirectories) {
  for (const std::string &directory : runDirectories)
    TRY(readRunReport(directory));
  auto server = ReportServer::start({
      .state = [&] { return stateOf(runDirectories); },
      .page = [&](const std::string &state) { return pageOf(runDirectories, state); },
  });
  if (!server)
    return std::unexpected(server.error());
  console.out((*server)->url());
  std::fflush(stdout); // a reader of a pipe needs it now
  console.note("open it in a browser on this machine; Ctrl-C ends it, and so does a minute without a run that goes on");
  for (auto lastAlive = Clock::now(); !interrupted() && Clock::now() - lastAlive < kStaysAfterTheEnd;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (std::ranges::any_of(runDirectories, isBeingWritten))
      lastAlive = Clock::now();
  }
  return {};
}

} // namespace agentic
