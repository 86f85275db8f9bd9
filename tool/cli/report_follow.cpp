#include "tool/cli/report_follow.h"

#include "tool/base/files.h"
#include "tool/cli/common.h"
#include "tool/cli/report_server.h"
#include "tool/cli/run_reports.h"
#include "tool/report/page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace agentic {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::streamoff kTailBytes = 64 << 10;
constexpr auto kStaysAfterTheEnd = std::chrono::minutes(1);

std::string journalOf(const std::string &directory) {
  return directory + "/journal.jsonl";
}

/// Journals only grow.
std::string stateOf(const std::vector<std::string> &directories) {
  std::string state;
  for (const std::string &directory : directories) {
    std::error_code error;
    const auto size = fs::file_size(journalOf(directory), error);
    state += (error ? "-" : std::to_string(size)) + "/";
  }
  return state;
}

/// A run that cannot be read now is left out: the next change of its journal brings it again.
std::string pageOf(const std::vector<std::string> &directories, const std::string &state) {
  std::vector<RunReport> runs;
  for (const std::string &directory : directories)
    if (Result<RunReport> run = readRunReport(directory))
      runs.push_back(std::move(*run));
  return reportPage(runs, {.followState = state});
}

} // namespace

bool hasEnded(const std::string &journal) {
  std::ifstream file(journal, std::ios::binary | std::ios::ate);
  if (!file)
    return false;
  const std::streamoff size = file.tellg();
  std::string tail(static_cast<std::size_t>(std::min(size, kTailBytes)), '\0');
  file.seekg(size - static_cast<std::streamoff>(tail.size()));
  if (!file.read(tail.data(), static_cast<std::streamsize>(tail.size())))
    return false;
  const std::size_t end = tail.rfind('\n'); // what follows it is being written
  if (end == std::string::npos)
    return false;
  const std::size_t before = end == 0 ? std::string::npos : tail.rfind('\n', end - 1);
  const std::size_t from = before == std::string::npos ? 0 : before + 1;
  const nlohmann::json event = nlohmann::json::parse(tail.substr(from, end - from), nullptr, false);
  if (!event.is_object())
    return false;
  const auto name = event.find("event");
  return name != event.end() && *name == "finished";
}

Result<void> followReport(Console &console, const std::vector<std::string> &runDirectories) {
  auto server = ReportServer::start({
      .state = [&] { return stateOf(runDirectories); },
      .page = [&](const std::string &state) { return pageOf(runDirectories, state); },
  });
  if (!server)
    return std::unexpected(server.error());
  console.out((*server)->url());
  std::fflush(stdout); // whoever reads it from a pipe needs it now
  console.note("open it in a browser on this machine; Ctrl-C ends it, and so does a minute after the run's end");
  const auto isOver = [&] {
    return std::ranges::all_of(runDirectories, [](const std::string &run) { return hasEnded(journalOf(run)); });
  };
  for (auto lastAlive = Clock::now(); !interrupted() && Clock::now() - lastAlive < kStaysAfterTheEnd;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (!isOver())
      lastAlive = Clock::now();
  }
  return {};
}

} // namespace agentic
