#include "tool/cli/optimize_run.h"

#include "tool/agent/agent.h"
#include "tool/base/clock.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/existing_variant.h"
#include "tool/evaluate/write_back.h"
#include "tool/search/journal.h"
#include "tool/search/optimize.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

/// What confirm and write-back cost, from what preparation measured.
constexpr int kConfirmPairs = 14, kClaimPairs = 9; ///< rarely more: who gets there won clearly
constexpr double kMostReserved = 0.6; ///< of what preparation left: some of a short budget is for searching

RunConfig settle(const OptimizeOptions &options, const Manifest &manifest) {
  RunConfig config = options.config;
  config.agent = options.agent.empty() ? manifest.agent : options.agent;
  const bool builtin = config.agent == "builtin";
  config.maxIterations = options.maxIterations >= 0 ? options.maxIterations : (builtin ? 0 : manifest.maxIterations);
  if (options.maxSeconds >= 0)
    config.maxSeconds = options.maxSeconds;
  else if (manifest.maxSeconds > 0)
    config.maxSeconds = manifest.maxSeconds;
  else
    config.maxSeconds = builtin ? 180 : 0;
  return config;
}

double reserveSeconds(const Calibration &calibration) {
  return calibration.compileSeconds + 3 * calibration.testSeconds + 2 * calibration.treeSeconds +
         (kConfirmPairs + kClaimPairs) * calibration.benchmarkSeconds;
}

RunIdentity identify(const Evaluator &evaluator) {
  const KernelSpec &spec = evaluator.spec();
  HashBuilder kernel, flags;
  kernel.add(spec.text);
  for (const Fragment &fragment : spec.closure)
    kernel.add(fragment.text);
  for (const std::string &argument : spec.parseArguments)
    flags.add(argument);
  const Compiler &compiler = evaluator.compiler();
  return {spec.kernel, std::string(evaluator.level().name),   familyName(compiler.family), kernel.hex(),
          flags.hex(), compiler.path + " " + compiler.version};
}

class OptimizeRun {
public:
  OptimizeRun(Console &console, const OptimizeOptions &options)
      : console_(console), options_(options), start_(steadySeconds()),
        result_(emptyOptimizeResult(options.common.kernel)) {}

  int run();

private:
  int fail(const Error &error) {
    result_["wall_seconds"] = steadySeconds() - start_;
    return console_.fail(error, options_.common.json, result_);
  }

  Result<void> prepare();
  Result<Journal> openJournal();
  RunObserver observer();
  void reserve();
  void drawProgress(Stage stage) const;
  void noteAttempt(int iteration, const Attempt &attempt, bool incumbent, double best) const;
  Result<void> finish(Journal &journal, const RunOutcome &outcome);
  int report(const RunOutcome &outcome);
  void table(const RunOutcome &outcome);

  Console &console_;
  const OptimizeOptions &options_;
  double start_;
  nlohmann::json result_;
  RunConfig config_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Agent> agent_;
  RunRequest request_;
  WriteBackResult written_;
  struct Current {
    int iteration = 0;
    std::string origin;
    double best = 1, secondsLeft = 0;
  } current_;                                  ///< for the progress line
  std::map<std::string, double> stageSeconds_; ///< of all evaluations
};

Result<void> OptimizeRun::prepare() {
  auto manifest = loadManifest(options_.common.buildDir, options_.common.kernel, options_.common.config);
  if (!manifest)
    return std::unexpected(manifest.error());
  config_ = settle(options_, *manifest);
  // What would stop the write-back is said before anything is spent.
  if (config_.write && config_.patchFile.empty())
    if (auto writable = checkWritable(manifest->variantDir); !writable)
      return writable;
  console_.note(fmt::format("{}: preparing", manifest->kernel));
  EvaluatorOptions evaluatorOptions = options_.common.evaluatorOptions(console_);
  evaluatorOptions.seed = config_.seed;
  evaluatorOptions.threshold = config_.threshold;
  evaluatorOptions.secondsLimit = config_.maxSeconds;
  evaluatorOptions.stage = [this](Stage stage) { drawProgress(stage); };
  auto evaluator = Evaluator::open(evaluatorOptions);
  if (!evaluator)
    return std::unexpected(evaluator.error());
  evaluator_ = std::move(*evaluator);
  auto agent = makeAgent(config_.agent, evaluator_->spec());
  if (!agent)
    return std::unexpected(agent.error());
  agent_ = std::move(*agent);
  console_.note("  " + replaceAll(evaluator_->costEstimate(), "\n", "\n  "));
  return {};
}

Result<Journal> OptimizeRun::openJournal() {
  const std::string runs = runsDirectory(evaluator_->manifest().buildDir);
  const RunIdentity identity = identify(*evaluator_);
  return config_.resume ? Journal::resume(runs, identity) : Journal::create(runs, identity, config_);
}

void OptimizeRun::drawProgress(Stage stage) const {
  console_.progress(fmt::format("[{}] {:<9} best {:.2f}x{}  {}", current_.iteration, stageName(stage), current_.best,
                                current_.secondsLeft < 1e8 ? "  " + seconds(current_.secondsLeft) + " left" : "",
                                current_.origin));
}

/// One line per attempt, but none for code that was measured before: a search makes dozens of those.
void OptimizeRun::noteAttempt(int iteration, const Attempt &attempt, bool incumbent, double best) const {
  const Evaluation &evaluation = attempt.evaluation;
  if (!evaluation.sameCodeAs.empty())
    return;
  std::string verdict = "not faster than the best";
  if (evaluation.verdict == Verdict::Rejected)
    verdict = std::string("rejected by ") + stageName(evaluation.stage);
  else if (incumbent && evaluation.measurement)
    verdict = "new best " + ratioText(evaluation.measurement->speedup);
  console_.note(fmt::format("  [{:>3}] {:<26} best {:.2f}x  {:>6}  {}", iteration, verdict, best,
                            seconds(evaluation.seconds), attempt.candidate.origin));
}

/// Keeps time for confirm and write-back, and says so if the budget is too small for that.
void OptimizeRun::reserve() {
  const double used = steadySeconds() - start_, wanted = reserveSeconds(evaluator_->calibration());
  const double left = std::max(0.0, config_.maxSeconds - used);
  request_.reserveSeconds = std::min(wanted, kMostReserved * left);
  if (config_.maxSeconds > 0 && wanted > kMostReserved * left)
    console_.warn(
        fmt::format("{} is little for this kernel: preparation took {}, confirming and writing back take about "
                    "{}; --max-seconds {:.0f} would do",
                    seconds(config_.maxSeconds), seconds(used), seconds(wanted), used + wanted / kMostReserved));
}

RunObserver OptimizeRun::observer() {
  RunObserver observer;
  observer.started = [this](int iteration, const Candidate &candidate, double best, double left) {
    current_ = {iteration, candidate.origin, best, left};
    drawProgress(Stage::Check);
  };
  observer.evaluated = [this](int iteration, const Attempt &attempt, bool incumbent, double best, double) {
    noteAttempt(iteration, attempt, incumbent, best);
    for (const StageTime &time : attempt.evaluation.times)
      stageSeconds_[time.name] += time.seconds;
  };
  observer.confirming = [this](const Candidate &candidate, int) {
    console_.note("  confirming " + candidate.id + " (" + candidate.origin + ") with fresh pairs against the baseline");
  };
  return observer;
}

Result<void> OptimizeRun::finish(Journal &journal, const RunOutcome &outcome) {
  if (!outcome.best || outcome.bestIsExisting || !config_.write)
    return {};
  console_.note("  building, testing and measuring what a normal build will be");
  WriteBackRequest request{.candidate = *outcome.best,
                           .confirmed = *outcome.confirmed,
                           .agent = config_.agent,
                           .patchFile = config_.patchFile};
  auto written = writeBack(*evaluator_, request);
  if (!written)
    return std::unexpected(written.error());
  written_ = *written;
  for (const std::string &warning : written_.warnings)
    console_.warn(warning);
  return journal.written(written_.files);
}

int OptimizeRun::run() {
  if (auto done = prepare(); !done)
    return fail(done.error());
  auto journal = openJournal();
  if (!journal)
    return fail(journal.error());
  if (config_.resume) { // what the interrupted run was asked for, unless said otherwise now
    const RunConfig &then = journal->record().config;
    config_.seed = then.seed;
    if (options_.maxSeconds < 0)
      config_.maxSeconds = then.maxSeconds;
    if (options_.maxIterations < 0)
      config_.maxIterations = then.maxIterations;
  }
  result_["run_dir"] = journal->directory();
  request_.config = config_;
  request_.startSeconds = start_;
  reserve();
  request_.cancelled = &interrupted();
  const ExistingVariants existing = readExisting(evaluator_->manifest().variantDir, evaluator_->spec());
  if (existing.lock)
    for (const Lock::Variant &variant : existing.lock->variants)
      if (auto candidate = candidateOf(evaluator_->manifest().variantDir, variant, evaluator_->spec())) {
        const bool ours = variant.provenance.level == evaluator_->level().name &&
                          variant.provenance.family == familyName(evaluator_->compiler().family);
        request_.firstIsFresh = request_.firstIsFresh || (ours && existing.fresh());
        request_.existing.insert(ours ? request_.existing.begin() : request_.existing.end(), *candidate);
      }
  auto outcome = runLoop(*evaluator_, *agent_, *journal, request_, observer());
  if (!outcome)
    return fail(outcome.error());
  if (outcome->reason == StopReason::Interrupted) {
    console_.note("interrupted; nothing was written; continue with --resume");
    return report(*outcome);
  }
  if (auto done = finish(*journal, *outcome); !done)
    return fail(done.error());
  if (auto done = journal->finished(stopReasonText(outcome->reason)); !done)
    return fail(done.error());
  return report(*outcome);
}

void OptimizeRun::table(const RunOutcome &outcome) {
  std::string rejected;
  for (const auto &[stage, count] : outcome.rejected)
    rejected += fmt::format("{}{} {}", rejected.empty() ? "" : ", ", stage, count);
  const bool claimed = !written_.claim.benchmarks.empty();
  const Measurement *measurement = claimed ? &written_.claim : outcome.confirmed ? &*outcome.confirmed : nullptr;
  auto row = [&](const char *name, const std::string &value) { console_.out(fmt::format("  {:<12} {}", name, value)); };
  console_.out(console_.bold(evaluator_->spec().kernel) + fmt::format("  {} / {} {}", evaluator_->level().name,
                                                                      familyName(evaluator_->compiler().family),
                                                                      evaluator_->compiler().version));
  row("baseline", nanoseconds(measurement ? measurement->referenceNs : outcome.baselineNs));
  if (measurement) {
    row("best",
        fmt::format("{}  {} ({})", nanoseconds(measurement->candidateNs), outcome.best->id, outcome.best->origin));
    row("speedup", console_.bold(ratioText(measurement->speedup)) +
                       (claimed ? "  built as it ships, against the original build" : "  against the baseline"));
  } else {
    row("best", "none: no candidate was confirmed faster than the baseline");
  }
  row("candidates", fmt::format("{} tried{}", outcome.iterations, rejected.empty() ? "" : "; not taken: " + rejected));
  row("time", fmt::format("{} ({})", seconds(steadySeconds() - start_), stopReasonText(outcome.reason)));
  for (const std::string &file : written_.files)
    row(file == written_.files.front() ? (config_.patchFile.empty() ? "written" : "patched") : "", file);
  if (outcome.bestIsExisting)
    row("written", "nothing: the checked-in variant stays the best");
  else if (!config_.write && outcome.best)
    row("written", "nothing (--no-write)");
  if (!outcome.best && !outcome.agentNote.empty())
    row("note", outcome.agentNote);
  row("run", result_["run_dir"].get<std::string>());
}

int OptimizeRun::report(const RunOutcome &outcome) {
  result_["baseline_ns"] = outcome.baselineNs;
  const bool claimed = !written_.claim.benchmarks.empty();
  if (outcome.best && outcome.confirmed) {
    result_["best"] = speedupJson(claimed ? written_.claim.speedup : outcome.confirmed->speedup);
    result_["best"]["candidate"] = outcome.best->id;
  }
  result_["iterations"] = outcome.iterations;
  result_["rejected"] = outcome.rejected;
  result_["files"] = written_.files;
  result_["reason"] = stopReasonText(outcome.reason);
  result_["wall_seconds"] = steadySeconds() - start_;
  if (options_.common.timings) {
    std::vector<StageTime> times = evaluator_->preparationTimes();
    for (const auto &[stage, total] : stageSeconds_)
      times.push_back({stage, total});
    printTimings(console_, times);
  }
  if (options_.common.json)
    console_.json(result_);
  else
    table(outcome);
  if (outcome.reason == StopReason::Interrupted)
    return static_cast<int>(ErrorKind::Interrupted);
  return outcome.best ? 0 : static_cast<int>(ErrorKind::NoImprovement);
}

} // namespace

nlohmann::json emptyOptimizeResult(const std::string &kernel) {
  return {{"kernel", kernel},
          {"baseline_ns", nullptr},
          {"best", nullptr},
          {"iterations", 0},
          {"rejected", nlohmann::json::object()},
          {"wall_seconds", 0},
          {"run_dir", nullptr}};
}

int optimizeKernel(Console &console, const OptimizeOptions &options) {
  return OptimizeRun(console, options).run();
}

} // namespace agentic
