// agentic-kernel red-team: shows which layers catch which of the shipped hostile candidates on this kernel.
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/red_team/examination.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kColumn = 13, kNamesShown = 12;

const char *mark(LayerResult::State state) {
  return state == LayerResult::State::Caught ? "caught" : state == LayerResult::State::NotCaught ? "-" : "";
}

nlohmann::json layersJson(const LayerResults &layers) {
  nlohmann::json object = nlohmann::json::object();
  for (Layer layer : kLayers) {
    const LayerResult &result = layers[layer];
    object[layerName(layer)] = {{"state", layerStateName(result.state)},
                                {"reason", result.reason},
                                {"checks", result.checks},
                                {"seconds", result.seconds}};
  }
  return object;
}

nlohmann::json rowJson(const RedTeamResult &result) {
  nlohmann::json object = {{"name", result.row.name},
                           {"expect", result.row.isHostile ? "rejected" : "valid"},
                           {"trick", result.row.trick},
                           {"unfit", result.unfit}};
  object["layers"] = result.unfit.empty() ? layersJson(result.layers) : nlohmann::json();
  return object;
}

nlohmann::json summaryJson(const RedTeamSummary &summary) {
  nlohmann::json ignored = nlohmann::json::object();
  for (const auto &[layer, rows] : summary.ignored)
    ignored[layerName(layer)] = {{"pass", rows.pass}, {"single", rows.single}};
  return {{"hostile", summary.hostile},       {"honest", summary.honest},     {"unfit", summary.unfit},
          {"gotThrough", summary.gotThrough}, {"harmless", summary.harmless}, {"refused", summary.refused},
          {"missed", summary.missed},         {"single", summary.single},     {"ignored", ignored}};
}

std::string shortList(const std::vector<std::string> &names) {
  const std::size_t shown = std::min(names.size(), kNamesShown);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + std::ptrdiff_t(shown), ", "));
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

class RedTeamCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    app.add_option("--rows", folder_,
                   "folder with any/*.cpp and <kernel>/*.cpp (default: those that ship with the tool)");
    app.add_option("names", words_, "only rows whose names contain one of these");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    const nlohmann::json empty = {{"kernel", common_.kernel}, {"rows", nlohmann::json::array()}, {"summary", nullptr}};
    const double start = steadySeconds();
    auto results = chosenRows();
    if (!results)
      return console.fail(results.error(), common_.json, empty);
    auto examination = Examination::open(common_.evaluatorOptions(console));
    if (!examination)
      return console.fail(examination.error(), common_.json, empty);
    std::size_t done = 0;
    auto examined = (*examination)->examine(*results, [&](const std::string &name) {
      console.progress(fmt::format("[{}/{}] {}", ++done, results->size(), name));
    });
    console.endProgress();
    if (!examined)
      return console.fail(examined.error(), common_.json, empty);
    const RedTeamSummary summary = summariseRedTeam(*results);
    if (common_.json) {
      nlohmann::json rows = nlohmann::json::array();
      for (const RedTeamResult &result : *results)
        rows.push_back(rowJson(result));
      console.json({{"kernel", common_.kernel},
                    {"rows", rows},
                    {"summary", summaryJson(summary)},
                    {"seconds", steadySeconds() - start}});
    } else {
      printTable(console, *results);
      printSummary(console, summary);
    }
    return summary.holds() ? 0 : static_cast<int>(ErrorKind::Rejected);
  }

private:
  Result<std::vector<RedTeamResult>> chosenRows() const {
    auto rows = TRY(loadRedTeam(folder_.empty() ? installedFolder() : folder_, common_.kernel));
    std::vector<RedTeamResult> results;
    for (RedTeamRow &row : rows)
      if (words_.empty() || std::ranges::any_of(words_, [&](const std::string &word) {
            return row.name.find(word) != std::string::npos;
          }))
        results.push_back({.row = std::move(row)});
    if (results.empty())
      return userError("no row of the red team has such a name", "leave the names out to see them all");
    return results;
  }

  static std::string installedFolder() {
    return (fs::path(programPath()).parent_path().parent_path() / "share" / "agentic-kernel" / "red-team").string();
  }

  static void printTable(Console &console, const std::vector<RedTeamResult> &results) {
    std::size_t width = 0;
    for (const RedTeamResult &result : results)
      width = std::max(width, result.row.name.size() + 2);
    std::string head(width, ' ');
    for (Layer layer : kLayers)
      head += fmt::format("{:<{}}", layerName(layer), kColumn);
    console.out(head);
    for (bool hostile : {true, false})
      for (const RedTeamResult &result : results) {
        if (result.row.isHostile != hostile || !result.unfit.empty())
          continue;
        std::string line = fmt::format("{:<{}}", result.row.name, width);
        for (Layer layer : kLayers)
          line += fmt::format("{:<{}}", mark(result.layers[layer].state), kColumn);
        console.out(line);
      }
  }

  static void printSummary(Console &console, const RedTeamSummary &summary) {
    console.out(fmt::format("\n{} of {} hostile rows rejected, {} of {} honest rows valid, {} do not fit this kernel",
                            summary.hostile - summary.gotThrough.size() - summary.harmless.size(), summary.hostile,
                            summary.honest - summary.refused.size(), summary.honest, summary.unfit));
    for (const auto &[layer, rows] : summary.ignored) {
      if (!rows.pass.empty())
        console.out(fmt::format("without {}, {} rows would pass: {}", layerName(layer), rows.pass.size(),
                                shortList(rows.pass)));
      if (!rows.single.empty())
        console.out(fmt::format("without {}, {} rows would have one layer left: {}", layerName(layer),
                                rows.single.size(), shortList(rows.single)));
    }
    for (const std::string &missed : summary.missed)
      console.note("not seen by a layer that should see it: " + missed);
    if (!summary.single.empty())
      console.note("seen by one layer only: " + shortList(summary.single));
    if (!summary.harmless.empty())
      console.note("right in every call, so harmless to this kernel as far as its tests, its recorded calls and its "
                   "contract go: " +
                   shortList(summary.harmless));
    for (const std::string &name : summary.gotThrough)
      console.warn(name + " got through every layer");
    for (const std::string &name : summary.refused)
      console.warn(name + " is honest and was refused");
  }

  CommonOptions common_;
  std::string folder_;
  std::vector<std::string> words_;
};

} // namespace

extern const CommandRow kRedTeamCommand = {
    .name = "red-team",
    .summary = "try hostile candidates on a kernel and show which layers catch them",
    .example = "-B build -k gemm",
    .make = makeCommand<RedTeamCommand>,
};

} // namespace agentic
