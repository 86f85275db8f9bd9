// agentic-kernel suite: searches every kernel of a build tree and prints one table.
#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/run_options.h"
#include "tool/cli/suite_kernel.h"
#include "tool/report/suite_report.h"
#include "tool/run/adequacy_gate.h"
#include "tool/run/farm.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace agentic {
namespace {

class SuiteCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declareTree(app);
    common_.declareQuiet(app);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("--kernel,-k", kernels_, kKernelOption);
    app.add_option("--set", sets_, "labels of kernels (LABELS of add_agentic_kernel()), or all (default: all)")
        ->delimiter(',');
    app.add_option("--agent", agent_, "what proposes candidates (default: AGENTIC_KERNEL_AGENT of the project)");
    declareTimeLimits(app, time_);
    app.add_option("--max-iterations", maxIterations_, "stop after this many candidates per kernel; 0 = unlimited")
        ->check(wholeNumber(0));
    app.add_option("--seed", config_.seed, "the same seed and outcomes give the same proposals")->capture_default_str();
    app.add_flag("--cold", cold_, "ignore the checked-in variants and the memory, and keep nothing in it");
    declareShorten(app, config_.shorten);
    declareFarm(app, config_);
    app.add_flag("!--no-write", config_.write, "search and confirm, but leave the source tree alone");
    app.add_flag("--explain", explains_,
                 "say of each candidate what the estimate promised and what came (built-in search)");
    app.add_option("--csv", csvFile_, "write the table there as CSV");
    app.add_option("--markdown", markdownFile_, "write the table there as Markdown");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    if (common_.quiet)
      console.beQuiet();
    suite_.machine = cpuName();
    suite_.maxSeconds = time_.searchSeconds.value_or(0);
    suite_.cold = cold_;
    auto manifests = chosen();
    if (!manifests)
      return console.fail(manifests.error(), common_.json, suiteJson(suite_));
    std::vector<std::string> names = agentNames(agent_.empty() ? manifests->front().agent : agent_);
    std::ranges::transform(names, names.begin(), nameForRecords);
    suite_.agent = join(names, ",");
    suite_.compiler = manifests->front().compilerId + " " + manifests->front().compilerVersion;
    if (auto farm = farmOptions(config_.farm, surroundings()); !farm) // else each kernel would fail by itself
      return console.fail(farm.error(), common_.json, suiteJson(suite_));
    if (auto done = writeFiles(); !done) // before anything is spent
      return console.fail(done.error(), common_.json, suiteJson(suite_));
    if (auto adequate = allAdequate(console, *manifests); !adequate)
      return console.fail(adequate.error(), common_.json, suiteJson(suite_));
    if (config_.farm.empty())
      measureRoofline(console);
    for (const Manifest &manifest : *manifests) {
      if (interrupted())
        break;
      console.note(fmt::format("[{}/{}] {}", suite_.rows.size() + 1, manifests->size(), manifest.kernel));
      auto row = suiteKernel(console, optionsFor(manifest), roofline_ ? &*roofline_ : nullptr, explains_);
      if (!row)
        break;
      suite_.rows.push_back(std::move(row->row));
      if (!row->measuredOn.empty())
        suite_.machine = row->measuredOn;
      if (auto done = writeFiles(); !done)
        console.warn(done.error().message);
    }
    suite_.interrupted = suite_.rows.size() < manifests->size();
    return report(console);
  }

private:
  /// Returns them in the build tree's order; the error names the first that is missing.
  Result<std::vector<Manifest>> chosen() const {
    auto manifests = loadManifests(common_.buildDir, common_.config);
    if (!manifests)
      return manifests;
    TRY(chooseSets(*manifests));
    if (kernels_.empty())
      return manifests;
    for (const std::string &kernel : kernels_)
      TRY(loadManifest(common_.buildDir, kernel, common_.config));
    std::erase_if(*manifests, [&](const Manifest &manifest) {
      return std::ranges::find(kernels_, manifest.kernel) == kernels_.end();
    });
    return manifests;
  }

  /// Leaves those that have one of the labels.
  Result<void> chooseSets(std::vector<Manifest> &manifests) const {
    if (sets_.empty() || std::ranges::find(sets_, "all") != sets_.end())
      return {};
    std::set<std::string> known;
    for (const Manifest &manifest : manifests)
      known.insert(manifest.labels.begin(), manifest.labels.end());
    for (const std::string &set : sets_)
      if (!known.contains(set))
        return userError("no kernel of this build has the label '" + set + "'",
                         known.empty() ? "give add_agentic_kernel() LABELS, or leave --set out"
                                       : "choose of: all, " + join(std::vector(known.begin(), known.end()), ", "));
    std::erase_if(manifests, [&](const Manifest &manifest) {
      return std::ranges::none_of(
          manifest.labels, [&](const std::string &label) { return std::ranges::find(sets_, label) != sets_.end(); });
    });
    return {};
  }

  /// With --require-adequate, checks every kernel before the first search.
  Result<void> allAdequate(Console &console, const std::vector<Manifest> &manifests) const {
    for (const Manifest &manifest : manifests) {
      if (!common_.requireAdequate)
        break;
      CommonOptions options = common_;
      options.kernel = manifest.kernel;
      console.note(manifest.kernel + ": giving its tests faulty versions of it");
      auto evaluator = TRY(Evaluator::open(options.evaluatorOptions(console)));
      TRY(checkAdequacy(console, *evaluator, options, AdequacyUse::Search, time_.searchSeconds));
    }
    return {};
  }

  OptimizeOptions optionsFor(const Manifest &manifest) {
    OptimizeOptions options{.target = common_,
                            .config = config_,
                            .agent = agent_,
                            .maxIterations = maxIterations_,
                            .time = time_,
                            .cold = cold_,
                            .command = &spending_};
    options.target.kernel = manifest.kernel;
    return options;
  }

  /// Not for other machines: the times that would be held against it are theirs.
  void measureRoofline(Console &console) {
    if (auto roofline = measuredRoofline(userCacheFile("roofline.json", common_.buildDir), &interrupted()))
      roofline_ = std::move(*roofline);
    else
      console.warn("the machine's bandwidth is not known: " + roofline.error().message);
  }

  /// Called after every kernel, so that a killed suite leaves its results so far.
  Result<void> writeFiles() const {
    for (const auto &[file, text] :
         {std::pair(csvFile_, suiteCsv(suite_)), std::pair(markdownFile_, suiteMarkdown(suite_))})
      if (!file.empty())
        TRY(writeFileAtomic(file, text));
    return {};
  }

  int report(Console &console) {
    if (suite_.interrupted)
      console.note("interrupted; the kernels that were done stay written");
    if (auto done = writeFiles(); !done)
      return console.fail(done.error(), common_.json, suiteJson(suite_));
    if (common_.json) {
      nlohmann::json result = suiteJson(suite_);
      if (roofline_)
        result["roofline"] = nlohmann::json::parse(rooflineText(*roofline_));
      console.json(result);
    } else {
      std::string text = suiteText(suite_);
      text.pop_back(); // out() ends the line
      console.out(text);
    }
    return suite_.interrupted ? static_cast<int>(ErrorKind::Interrupted) : 0;
  }

  CommonOptions common_;
  RunConfig config_;
  std::vector<std::string> kernels_, sets_;
  std::string agent_, csvFile_, markdownFile_;
  std::optional<int> maxIterations_;
  TimeOptions time_;
  bool cold_ = false, explains_ = false;
  Suite suite_;
  CommandSpending spending_;
  std::optional<Roofline> roofline_;
};

} // namespace

extern const CommandRow kSuiteCommand = {
    .name = "suite",
    .summary = "run the search over every kernel and tabulate what it found",
    .example = "-B build --max-seconds 60 --markdown table.md",
    .make = makeCommand<SuiteCommand>,
};

} // namespace agentic
