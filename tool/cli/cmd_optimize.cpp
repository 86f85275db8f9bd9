// agentic-kernel optimize: does the whole job for one kernel, or for every kernel of the build tree in turn.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/optimize_report.h"
#include "tool/cli/option_values.h"
#include "tool/cli/run_console.h"
#include "tool/cli/run_options.h"
#include "tool/run/experiment.h"
#include "tool/run/farm.h"
#include "tool/run/run_settings.h"

#include "tool/base/clock.h"
#include "tool/build/family_tree.h"
#include "tool/build/manifests.h"
#include "tool/search/journal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

class OptimizeCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::All);
    common_.declareLevel(app);
    common_.declareQuiet(app);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("--family", family_, "this compiler family only (default: every one of the kernel)")
        ->check(oneOf({"clang", "gcc"}));
    app.add_option("--agent", agent_, "what proposes candidates (default: AGENTIC_KERNEL_AGENT of the project)");
    app.add_option("--agent-choice", agentChoice_,
                   "of several (--agent A,B): in turn, or most often who gains most per dollar (default: turn)")
        ->check(oneOf({"turn", "gain"}));
    app.add_option("--seed-with", seedWith_, "the built-in search begins for the agents, and polishes their best")
        ->check(oneOf({"builtin"}));
    declareOptimization(app, config_.optimization);
    app.add_option("--max-iterations", maxIterations_, "stop after this many candidates per kernel; 0 = unlimited")
        ->check(wholeNumber(0));
    declareTimeLimits(app, time_);
    app.add_option("--seed", config_.seed, "the same seed and outcomes give the same proposals")->capture_default_str();
    app.add_option("--seed-from", seedFrom_, "transform and tune this candidate instead of the function as written");
    app.add_flag("--cold", cold_, "ignore the checked-in variants and the memory, and keep nothing in it");
    declareShorten(app, config_.shorten);
    app.add_flag("!--no-write", config_.write, "search and confirm, but leave the source tree alone");
    app.add_option("--patch", config_.patchFile, "write a patch there instead of the generated files");
    declareFarm(app, config_);
    app.add_flag("--resume", config_.resume, "continue the kernel's newest unfinished run");
    app.add_flag("--timings", common_.timings, "show where the time goes");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
    declareLlmOptions(app, llm_);
    declareMemory(app, llm_);
    app.add_flag(
        "--research", llm_.research,
        "before the first candidate, the agent's model reads patterns and indexed sources, and says what could "
        "help: --role researcher");
    app.add_option(
           "--hypotheses", llm_.hypothesesFile,
           "a file of hypotheses that models carry out, in place of a researcher's; research --agent writes one")
        ->check(CLI::ExistingFile);
  }

  int run(Console &console) override {
    if (common_.quiet)
      console.beQuiet();
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, emptyOptimizeResult(common_.kernel));
    if (llm_.hypothesesFile && manifests->size() > 1)
      return console.fail(
          {.message = "--hypotheses are about one kernel, and the project has " + std::to_string(manifests->size()),
           .next = "name it with --kernel"},
          common_.json, emptyOptimizeResult(common_.kernel));
    int status = 0;
    for (const Manifest &manifest : *manifests) {
      const int result = atOptimization(console, manifest);
      if (result == static_cast<int>(ErrorKind::Interrupted))
        return result;
      if (result != 0 && (status == 0 || status == kNone))
        status = result; // "no improvement" of one kernel must not hide another's error
    }
    return status;
  }

private:
  static constexpr int kNone = static_cast<int>(ErrorKind::NoImprovement);

  OptimizeOptions optionsFor(const Manifest &manifest) {
    OptimizeOptions options{.target = common_,
                            .config = config_,
                            .agent = agent_,
                            .maxIterations = maxIterations_,
                            .time = time_,
                            .cold = cold_,
                            .llm = llm_,
                            .seedFrom = seedFrom_,
                            .agentChoice = agentChoice_,
                            .seedWith = seedWith_,
                            .command = &spending_};
    if (!config_.optimization.empty())
      asExperiment(options);
    options.target.kernel = manifest.kernel;
    options.target.buildDir = manifest.buildDir;
    return options;
  }

  int fail(Console &console, const Manifest &manifest, const Error &error) const {
    return console.fail(error, common_.json, emptyOptimizeResult(manifest.kernel));
  }

  /// Combines the statuses of several searches of one kernel: an error, else whether one of them found something.
  static int together(int status, int result) {
    return result != kNone && (status == kNone || result != 0) ? result : status;
  }

  /// An interruption ends it, and a run that could not be resumed, because its spending is not known.
  bool endsCommand(int result) const {
    return result == static_cast<int>(ErrorKind::Interrupted) || !spending_.isKnown;
  }

  /// Sets the limits of search `at` of `searches`; the first began at `start`.
  static void takeShare(OptimizeOptions &options, const BudgetLimits &all, double start, std::size_t at,
                        std::size_t searches) {
    const BudgetLimits share = shareOf(all, steadySeconds() - start, searches, searches - at);
    options.time = {.searchSeconds = share.searchSeconds, .totalSeconds = share.totalSeconds};
  }

  /// Runs in the user's tree, or in one that is compiled at another level.
  int atOptimization(Console &console, const Manifest &manifest) {
    auto tree = manifestAt(manifest, config_.optimization, console, surroundings());
    if (!tree)
      return fail(console, manifest, tree.error());
    return allFamilies(console, *tree);
  }

  /// Begins with the project's own compiler; divides the rest of the time among the other families. A resumed run goes
  /// on in its own family.
  int allFamilies(Console &console, const Manifest &manifest) {
    auto families = chosenFamilies(manifest, family_);
    if (!families)
      return fail(console, manifest, families.error());
    if (families->size() > 1 && !config_.patchFile.empty())
      return fail(console, manifest,
                  Error{ErrorKind::User, "one patch cannot hold the variants of several families",
                        "choose one of them with --family"});
    OptimizeOptions options = optionsFor(manifest);
    const double start = steadySeconds();
    const BudgetLimits all = settledLimits(options, manifest);
    int status = kNone;
    bool resumes = config_.resume;
    for (std::size_t i = 0; i < families->size(); ++i) {
      auto tree = manifestForFamily(manifest, (*families)[i], &interrupted());
      if (!tree)
        return fail(console, manifest, tree.error());
      const bool isLast = i + 1 == families->size();
      if (resumes && !isLast && !unfinishedRun(runsDirectory(tree->buildDir), manifest.kernel))
        continue;
      options = optionsFor(*tree);
      options.config.resume = resumes;
      resumes = false;
      if (families->size() > 1) {
        console.note(fmt::format("{}: family {} ({} of {})", manifest.kernel, familyName((*families)[i]), i + 1,
                                 families->size()));
        if (!options.config.resume)
          takeShare(options, all, start, i, families->size());
      }
      const int result = allLevels(console, *tree, options);
      if (endsCommand(result))
        return result;
      status = together(status, result);
    }
    return status;
  }

  /// Begins with the lowest; divides the rest of the time among the others. A resumed run goes on at its own level.
  int allLevels(Console &console, const Manifest &manifest, OptimizeOptions options) {
    auto levels = levelsToTune(manifest, common_.level, config_.farm, surroundings());
    if (!levels)
      return fail(console, manifest, levels.error());
    if (levels->size() == 1)
      return one(console, options);
    if (!config_.patchFile.empty())
      return fail(console, manifest,
                  Error{ErrorKind::User,
                        "one patch cannot hold the variants of " + std::to_string(levels->size()) + " levels",
                        "choose one of them with --level"});
    const bool resumes = options.config.resume;
    if (resumes)
      if (auto unfinished = unfinishedRun(runsDirectory(manifest.buildDir), manifest.kernel))
        while (levels->size() > 1 && levels->front()->name != unfinished->identity.level)
          levels->erase(levels->begin());
    const double start = steadySeconds();
    const BudgetLimits all = settledLimits(options, manifest);
    int status = kNone;
    for (std::size_t i = 0; i < levels->size(); ++i) {
      options.target.level = (*levels)[i]->name;
      options.config.resume = resumes && i == 0;
      if (!options.config.resume)
        takeShare(options, all, start, i, levels->size());
      console.note(
          fmt::format("{}: level {} ({} of {})", manifest.kernel, options.target.level, i + 1, levels->size()));
      const int result = one(console, options);
      if (endsCommand(result))
        return result;
      status = together(status, result);
    }
    return status;
  }

  int one(Console &console, const OptimizeOptions &options) {
    OptimizedKernel run;
    RunConsole view(console);
    const auto done = optimizeKernel(view, surroundings(), options, run);
    if (common_.timings && run.evaluator)
      timings(console, run);
    if (!done)
      return console.fail(done.error(), common_.json, optimizeResult(run, false));
    if (common_.json)
      console.json(optimizeResult(run, true));
    else
      printOptimized(console, run);
    if (run.outcome.reason == StopReason::Interrupted)
      return static_cast<int>(ErrorKind::Interrupted);
    return run.outcome.best ? 0 : static_cast<int>(ErrorKind::NoImprovement);
  }

  static void timings(Console &console, const OptimizedKernel &run) {
    std::vector<StageTime> times = run.evaluator->preparationTimes();
    for (const auto &[stage, total] : run.stageTimes.seconds())
      times.push_back({stage, total});
    double known = 0;
    for (const StageTime &time : times)
      known += time.seconds;
    if (const double rest = run.budget->used() - run.budget->usedBefore() - known; rest > 0)
      times.push_back({"other", rest}); // thinking, keeping the journal
    printTimings(console, times);
  }

  CommonOptions common_;
  RunConfig config_;
  LlmOptions llm_;
  CommandSpending spending_;
  std::string agent_, family_;
  std::optional<std::string> agentChoice_, seedWith_;
  std::optional<int> maxIterations_;
  TimeOptions time_;
  bool cold_ = false;
  std::string seedFrom_;
};

} // namespace

extern const CommandRow kOptimizeCommand = {
    .name = "optimize",
    .summary = "search for a faster variant and write the best one back",
    .example = "-B build -k gemm --max-seconds 300",
    .make = makeCommand<OptimizeCommand>,
};

} // namespace agentic
