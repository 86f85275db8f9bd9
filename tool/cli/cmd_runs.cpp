// agentic-kernel runs: lists the runs of a build tree and the disk they use; --prune bounds it.
#include "tool/base/files.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/search/journal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

std::uintmax_t directorySize(const std::string &path) {
  std::uintmax_t bytes = 0;
  std::error_code ignored;
  for (auto it = fs::recursive_directory_iterator(path, ignored); it != fs::recursive_directory_iterator();
       it.increment(ignored))
    if (it->is_regular_file(ignored))
      bytes += it->file_size(ignored);
  return bytes;
}

class RunsCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_flag("--prune", prune_, "remove finished runs beyond the newest --keep, and evaluated candidates' objects");
    app.add_option("--keep", keep_, "runs to keep per kernel")->capture_default_str()->check(wholeNumber(0));
  }

  int run(Console &console) override {
    nlohmann::json result = {{"runs", nlohmann::json::array()}, {"freed_bytes", 0}};
    if (!fs::exists(common_.buildDir + "/_agentic"))
      return console.fail(Error{ErrorKind::User,
                                common_.buildDir + " has no _agentic folder: no kernel was configured there",
                                "give the build tree with --build-dir"},
                          common_.json, result);
    std::map<std::string, std::vector<std::string>> byKernel;
    for (const std::string &run : listRuns(runsDirectory(common_.buildDir), common_.kernel)) {
      const std::string name = fs::path(run).filename().string();
      byKernel[name.substr(0, name.find('-'))].push_back(run);
    }
    std::uintmax_t freed = 0;
    for (const auto &[kernel, runs] : byKernel)
      for (std::size_t i = 0; i < runs.size(); ++i) {
        auto record = readRun(runs[i]);
        const bool finished = !record || record->finished;
        const std::uintmax_t bytes = directorySize(runs[i]);
        const bool remove = prune_ && finished && i + keep_ < runs.size();
        std::error_code failed;
        if (remove && fs::remove_all(runs[i], failed) && !failed)
          freed += bytes;
        else
          result["runs"].push_back({{"kernel", kernel},
                                    {"directory", runs[i]},
                                    {"finished", finished},
                                    {"candidates", record ? record->attempts.size() : 0},
                                    {"bytes", bytes}});
      }
    if (prune_)
      freed += pruneWork();
    result["freed_bytes"] = freed;
    if (common_.json)
      console.json(result);
    else
      print(console, result);
    return 0;
  }

private:
  /// Removes objects of evaluated candidates: they are made again when needed.
  std::uintmax_t pruneWork() const {
    const std::string work = common_.buildDir + "/_agentic/work";
    const std::uintmax_t bytes = directorySize(work);
    std::error_code ignored;
    fs::remove_all(work, ignored);
    return bytes;
  }

  void print(Console &console, const nlohmann::json &result) const {
    for (const nlohmann::json &run : result["runs"])
      console.out(fmt::format("{}  {} candidates, {} KiB{}", run["directory"].get<std::string>(),
                              run["candidates"].get<std::size_t>(), run["bytes"].get<std::uintmax_t>() / 1024,
                              run["finished"].get<bool>() ? "" : ", unfinished"));
    if (prune_)
      console.out(fmt::format("freed {} KiB", result["freed_bytes"].get<std::uintmax_t>() / 1024));
    else if (result["runs"].empty())
      console.out("no runs");
  }

  CommonOptions common_;
  bool prune_ = false;
  std::size_t keep_ = 5;
};

} // namespace

extern const CommandRow kRunsCommand = {
    .name = "runs",
    .summary = "list the runs of a build tree, or prune them",
    .example = "-B build",
    .make = makeCommand<RunsCommand>,
};

} // namespace agentic
