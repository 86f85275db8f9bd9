// agentic-kernel compare: runs several agents on one kernel, each alone and from the baseline, and prints one table.
#include "tool/base/files.h"
#include "tool/base/lock_file.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/compare_report.h"
#include "tool/cli/number_checks.h"
#include "tool/cli/run_console.h"
#include "tool/cli/run_options.h"
#include "tool/run/compare_runs.h"
#include "tool/run/experiment.h"
#include "tool/run/optimize_run.h"
#include "tool/run/run_settings.h"
#include "tool/search/journal.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace agentic {
namespace {

class CompareCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, CommonOptions::Kernels::One);
    common_.declareLevel(app);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("--agents", agents_, "which: builtin,openai:gpt-5-mini,ollama:qwen3-coder,command:./ask.sh");
    app.add_option("--strategies", strategies_,
                   "each agent that asks a model runs once with each of these: linear,beam,islands");
    app.add_option("--max-iterations", maxIterations_, "stop after this many candidates per kernel; 0 = unlimited")
        ->check(wholeNumber(0));
    declareTimeLimits(app, time_);
    app.add_option("--seed", seed_, "the same seed and outcomes give the same proposals (default: 1)");
    declareOptimization(app, optimization_);
    app.add_flag("--resume", resume_, "continue the kernel's newest unfinished run");
    app.add_option("--csv", csvFile_, "write the table there as CSV");
    app.add_option("--markdown", markdownFile_, "write the table there as Markdown");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
    declareLlmOptions(app, llm_);
  }

  int run(Console &console) override {
    const auto done = steps(console);
    if (!done)
      return console.fail(done.error(), common_.json, compareJson(comparison_));
    for (std::size_t i = 0; i < comparison_.rows.size(); ++i) {
      if (comparison_.rows[i].state == CompareState::Done)
        continue;
      if (!one(console, i))
        break;
    }
    return report(console);
  }

private:
  Result<void> steps(Console &console) {
    auto manifest = TRY(loadManifest(common_.buildDir, common_.kernel, common_.config));
    comparison_.kernel = manifest.kernel;
    TRY(resume_ ? resumed(manifest.buildDir) : begun(manifest.buildDir));
    warnOfUnused(console, names_, llm_);
    auto lock = TRY(LockFile::tryAcquire(comparison_.directory + "/lock"));
    if (!lock)
      return userError("another process works on the comparison " + comparison_.directory, "wait for it or stop it");
    lock_.emplace(std::move(*lock));
    tree_ = TRY(manifestAt(manifest, comparison_.optimization, console, surroundings()));
    return writeFiles(); // before anything is spent
  }

  /// Returns the rows of --agents and --strategies, with the agents' names as they are given.
  Result<std::vector<CompareRow>> givenRows() const {
    std::vector<std::string> strategies;
    for (const std::string &strategy : split(strategies_, ','))
      if (!trim(strategy).empty())
        strategies.emplace_back(trim(strategy));
    if (!strategies.empty() && llm_.strategy)
      return userError("--strategy and --strategies are both given", "name the strategies with --strategies alone");
    return compareRows(agentNames(agents_), strategies);
  }

  Result<void> begun(const std::string &buildDir) {
    if (agents_.empty())
      return userError("no agents to compare", "name them: --agents builtin,<provider>:<model>,command:<program>; "
                                               "'agentic-kernel agents' lists them");
    AgentComparison comparison{.kernel = comparison_.kernel, .level = common_.level, .optimization = optimization_};
    comparison.rows = TRY(givenRows());
    for (CompareRow &row : comparison.rows) {
      names_.push_back(row.name);
      row.name = nameForRecords(row.name);
      comparison.isCut = comparison.isCut || row.name != names_.back();
    }
    comparison.seed = seed_.value_or(1);
    takeLimits(comparison);
    comparison_ = TRY(createComparison(buildDir, std::move(comparison), surroundings()));
    return {};
  }

  /// Takes the settings of the comparison that are not given now.
  Result<void> resumed(const std::string &buildDir) {
    auto before = TRY(unfinishedComparison(buildDir, comparison_.kernel));
    if (!optimization_.empty() && optimization_ != before.optimization)
      return userError("the comparison " + before.directory + " was not made with --optimization " + optimization_,
                       "leave the option out, or start a new one without --resume");
    if (!strategies_.empty() && agents_.empty())
      return userError("--strategies of " + before.directory + " are recorded with its agents",
                       "give --agents, too, or leave --strategies out");
    std::vector<CompareRow> given = before.rows;
    if (!agents_.empty())
      given = TRY(givenRows());
    if (!std::ranges::equal(given, before.rows, {}, &CompareRow::label, &CompareRow::label))
      return userError("the comparison " + before.directory + " is of other agents or strategies",
                       "give the same ones in the same order, or start a new one without --resume");
    for (const CompareRow &row : given)
      names_.push_back(row.name);
    if (agents_.empty() && before.isCut)
      return userError("the agents of " + before.directory + " are recorded without their arguments",
                       "give --agents again, as it was");
    comparison_ = std::move(before);
    takeLimits(comparison_);
    return {};
  }

  void takeLimits(AgentComparison &comparison) const {
    if (llm_.budgetUsd)
      comparison.budgetUsd = llm_.budgetUsd;
    if (maxIterations_)
      comparison.maxIterations = maxIterations_;
    if (time_.searchSeconds)
      comparison.time.searchSeconds = time_.searchSeconds;
    if (time_.totalSeconds)
      comparison.time.totalSeconds = time_.totalSeconds;
  }

  OptimizeOptions optionsFor(std::size_t row) const {
    OptimizeOptions options;
    options.target = common_;
    options.target.kernel = tree_.kernel;
    options.target.buildDir = tree_.buildDir;
    options.target.level = comparison_.level;
    options.agent = names_[row];
    options.maxIterations = comparison_.maxIterations;
    options.time = comparison_.time;
    options.llm = llm_;
    options.llm.budgetUsd = comparison_.budgetUsd;
    if (const std::string &strategy = comparison_.rows[row].strategy; !strategy.empty())
      options.llm.strategy = strategy;
    options.llm.budgets = static_cast<int>(std::ranges::count_if(names_, asksModel));
    options.cold = true;
    options.runsDir = comparison_.runsDir(row);
    options.config.write = false;
    options.config.seed = comparison_.seed;
    options.config.optimization = comparison_.optimization;
    if (!comparison_.optimization.empty())
      asExperiment(options);
    options.config.resume = unfinishedRun(options.runsDir, comparison_.kernel).has_value();
    return options;
  }

  /// False: the comparison is interrupted, or its records cannot be written.
  bool one(Console &console, std::size_t at) {
    CompareRow &row = comparison_.rows[at];
    console.note(fmt::format("[{}/{}] {}", at + 1, comparison_.rows.size(), row.label));
    Result<void> done;
    if (row.state != CompareState::Running || !hasEnded(comparison_, at)) {
      row.state = CompareState::Running;
      row.reason.clear();
      if (!save(console))
        return false;
      OptimizedKernel run;
      RunConsole view(console);
      done = optimizeKernel(view, surroundings(), optionsFor(at), run);
      isInterrupted_ =
          done ? run.outcome.reason == StopReason::Interrupted : done.error().kind == ErrorKind::Interrupted;
    }
    fillFromRun(comparison_, at);
    if (isInterrupted_) {
      save(console);
      return false;
    }
    row.state = done ? CompareState::Done : CompareState::Failed;
    if (!done) {
      row.reason = done.error().message;
      console.warn(row.label + ": " + done.error().message);
      firstFailure_ = firstFailure_ ? firstFailure_ : std::optional(done.error());
    }
    return save(console);
  }

  bool save(Console &console) {
    auto saved = saveComparison(comparison_, surroundings());
    if (saved)
      saved = writeFiles();
    if (!saved) {
      console.warn(saved.error().message);
      firstFailure_ = saved.error();
    }
    return saved.has_value();
  }

  Result<void> writeFiles() const {
    for (const auto &[file, text] :
         {std::pair(csvFile_, compareCsv(comparison_)), std::pair(markdownFile_, compareMarkdown(comparison_))})
      if (!file.empty())
        TRY(writeFileAtomic(file, text));
    return {};
  }

  /// Returns 0 if an agent found something; else the status of the failure if all failed.
  int report(Console &console) const {
    bool isDone = false, isFaster = false;
    for (const CompareRow &row : comparison_.rows) {
      isDone = isDone || row.state == CompareState::Done;
      isFaster = isFaster || (row.state == CompareState::Done && row.speedup);
    }
    if (isInterrupted_)
      console.note("interrupted; continue with --resume");
    if (!isInterrupted_ && !isDone && firstFailure_) {
      Error error = *firstFailure_;
      error.message = "no agent could be compared: " + error.message;
      return console.fail(error, common_.json, compareJson(comparison_));
    }
    if (common_.json) {
      console.json(compareJson(comparison_));
    } else {
      std::string text = compareText(comparison_);
      text.pop_back(); // out() ends the line
      console.out(text);
    }
    return static_cast<int>(isInterrupted_ ? ErrorKind::Interrupted
                            : isFaster     ? ErrorKind{}
                                           : ErrorKind::NoImprovement);
  }

  CommonOptions common_;
  LlmOptions llm_;
  std::string agents_, strategies_, optimization_, csvFile_, markdownFile_;
  std::optional<int> maxIterations_;
  TimeOptions time_;
  std::optional<std::uint64_t> seed_;
  bool resume_ = false;
  std::vector<std::string> names_;
  AgentComparison comparison_;
  Manifest tree_;
  std::optional<LockFile> lock_;
  std::optional<Error> firstFailure_;
  bool isInterrupted_ = false;
};

} // namespace

extern const CommandRow kCompareCommand = {
    .name = "compare",
    .summary = "let agents optimize one kernel under the same budget, each alone, and tabulate them",
    .example = "-B build -k gemm --agents builtin,command:./ask.sh --budget-usd 5",
    .make = makeCommand<CompareCommand>,
};

} // namespace agentic
