#include "tool/search/run_directories.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"

#include <algorithm>

namespace agentic {
namespace {

/// Returns the part of a run's folder name that orders runs in time: "-2026…", after the kernel's name.
std::string stampOf(const std::string &run) {
  const std::string name = run.substr(run.rfind('/') + 1);
  const std::size_t end = name.find('-');
  return end == std::string::npos ? std::string() : name.substr(end);
}

} // namespace

std::vector<std::string> listRuns(const std::string &runsDir, const std::string &kernel) {
  std::vector<std::string> runs;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(runsDir, ignored)) {
    const std::string name = entry.path().filename().string();
    // "<kernel>-2026…": kernel names have no '-', so the first one ends the name.
    if (entry.is_directory(ignored) && !stampOf(name).empty() &&
        (kernel.empty() || name.substr(0, name.find('-')) == kernel))
      runs.push_back(entry.path().string());
  }
  std::ranges::sort(runs, {}, stampOf);
  return runs;
}

std::string newRunDirectory(const std::string &parent, const std::string &kernel) {
  std::string stamp = utcTimestamp();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  const std::string first = parent + "/" + kernel + "-" + stamp;
  std::string directory = first;
  std::error_code ignored;
  for (int n = 1; fs::exists(directory, ignored); ++n)
    directory = first + "-" + std::to_string(n);
  return directory;
}

} // namespace agentic
