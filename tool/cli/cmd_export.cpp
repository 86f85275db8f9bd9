// agentic-kernel export: writes what runs measured for other programs.
#include "tool/base/files.h"
#include "tool/base/terminal_text.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/run/chosen_run.h"
#include "tool/run/pair_export.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class ExportCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    app.add_option("run", given_, "folders of runs (default: the newest of the build tree)");
    app.add_option("--pairs", pairsFile_, "write slow and fast sources there, one pair a line of JSON");
    app.add_option("--licence", licence_, "licence of the kernels' source, as an SPDX identifier, for each pair");
  }

  int run(Console &console) override {
    nlohmann::json result = {{"pairs", 0}, {"runs", nlohmann::json::array()}, {"file", pairsFile_}};
    if (auto done = write(console, result); !done)
      return console.fail(done.error(), common_.json, result);
    if (common_.json)
      console.json(result);
    return 0;
  }

private:
  Result<void> write(Console &console, nlohmann::json &result) {
    if (pairsFile_.empty())
      return userError("it is not said what to export", "name a file: --pairs FILE");
    if (!given_.empty() && !common_.kernel.empty())
      return userError("folders of runs and --kernel were given", "leave one of them out: a folder is of one kernel");
    std::vector<std::string> folders = given_;
    if (folders.empty())
      folders.emplace_back();
    std::string lines;
    std::size_t count = 0;
    for (const std::string &given : folders) {
      const std::string folder = TRY(chosenRun(given, common_.buildDir, common_.kernel));
      const ExportedPairs pairs = TRY(pairsOfRun(folder, licence_));
      lines += pairs.lines;
      count += pairs.count;
      result["runs"].push_back(folder);
    }
    TRY(writeFileAtomic(pairsFile_, lines));
    result["pairs"] = count;
    console.note(printable(fmt::format("wrote {} pairs to {}", count, pairsFile_)));
    return {};
  }

  CommonOptions common_;
  std::vector<std::string> given_;
  std::string pairsFile_, licence_;
};

} // namespace

extern const CommandRow kExportCommand = {
    .name = "export",
    .summary = "write slow and fast sources of runs for training",
    .example = "-B build --pairs pairs.jsonl --licence MIT",
    .make = makeCommand<ExportCommand>,
};

} // namespace agentic
