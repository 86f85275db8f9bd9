#include "tool/run/chosen_run.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/search/run_directories.h"

#include <system_error>
#include <vector>

namespace agentic {
namespace {

bool isRun(const std::string &folder) {
  std::error_code ignored;
  return fs::exists(folder + "/journal.jsonl", ignored);
}

Result<std::string> checkedRun(const std::string &folder) {
  std::error_code ignored;
  if (isRun(folder))
    return folder;
  if (!fs::is_directory(folder, ignored))
    return userError("there is no folder '" + folder + "'", "'agentic-kernel runs' lists the runs of a build tree");
  std::vector<std::string> runs = listRuns(folder, "");
  std::erase_if(runs, [](const std::string &run) { return !isRun(run); });
  return userError("folder '" + folder + "' is not that of a run: it has no journal.jsonl",
                   runs.empty() ? "'agentic-kernel runs' lists the runs of a build tree"
                                : "name the folders in it, such as " + runs.back());
}

/// Returns the kernel with runs that the user perhaps meant.
std::string meantKernel(const std::string &kernel, const std::string &runsDir) {
  std::vector<std::string> kernels;
  for (const std::string &run : listRuns(runsDir, "")) {
    const std::string name = fs::path(run).filename().string();
    kernels.push_back(name.substr(0, name.find('-')));
  }
  return didYouMean(kernel, kernels);
}

} // namespace

Result<std::string> chosenRun(const std::string &given, const std::string &buildDir, const std::string &kernel) {
  if (!given.empty())
    return checkedRun(given);
  const std::vector<std::string> runs = listRuns(runsDirectory(buildDir), kernel);
  if (!runs.empty())
    return runs.back();
  const std::string meant = meantKernel(kernel, runsDirectory(buildDir));
  return userError("there is no run" + (kernel.empty() ? "" : " of kernel '" + kernel + "'") + " in " + buildDir,
                   meant.empty() ? "give the build tree with --build-dir, or make one with 'agentic-kernel optimize'"
                                 : "did you mean '" + meant + "'?");
}

} // namespace agentic
