#include "tool/cli/optimize_run.h"

#include "tool/agent/agent.h"
#include "tool/agent/builtin_agent.h"
#include "tool/agent/recipe_store.h"
#include "tool/base/clock.h"
#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/existing_variant.h"
#include "tool/search/journal.h"

#include <fmt/format.h>

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
  OptimizeRun(Console &console, const OptimizeOptions &options, OptimizedKernel &run)
      : console_(console), options_(options), start_(steadySeconds()), run_(run), config_(run.config),
        evaluator_(run.evaluator) {
    run_.kernel = options.common.kernel;
  }

  Result<void> run() {
    Result<void> done = steps();
    run_.wallSeconds = steadySeconds() - start_;
    return done;
  }

private:
  Result<void> steps();
  Result<void> prepare();
  Result<Journal> openJournal();
  void continueAsBefore(const RunConfig &then);
  Result<void> settleStart();
  void remember() const;
  void offerExisting();
  RunObserver observer();
  void reserve();
  RecipeStore store() const { return RecipeStore(userCacheFile("recipes.jsonl", options_.common.buildDir)); }
  std::string shape() const {
    return shapeOf(evaluator_->spec(), std::string(evaluator_->level().name),
                   familyName(evaluator_->compiler().family));
  }
  void drawProgress(Stage stage) const;
  void noteAttempt(int iteration, const Attempt &attempt, bool incumbent, double best) const;
  Result<void> finish(Journal &journal);

  Console &console_;
  const OptimizeOptions &options_;
  double start_;
  OptimizedKernel &run_;
  RunConfig &config_;
  std::unique_ptr<Evaluator> &evaluator_;
  std::unique_ptr<Agent> agent_;
  RunRequest request_;
  struct Current {
    int iteration = 0;
    std::string origin;
    double best = 1, secondsLeft = 0;
  } current_; ///< for the progress line
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

/// What the search starts from: a given candidate, and what won before on kernels of this shape.
Result<void> OptimizeRun::settleStart() {
  if (!options_.seedFrom.empty()) {
    auto seed = readCandidate(options_.seedFrom);
    if (!seed)
      return std::unexpected(seed.error());
    config_.startFrom = seed->id;
    request_.existing.push_back(std::move(*seed));
  }
  if (!options_.cold && options_.seedFrom.empty())
    config_.startRecipes = store().recall(shape());
  return {};
}

void OptimizeRun::remember() const {
  const RunOutcome &outcome = run_.outcome;
  if (!outcome.best || !outcome.confirmed || !outcome.best->origin.starts_with(kBuiltinOrigin) ||
      !config_.startFrom.empty())
    return;
  const std::string recipe = outcome.best->origin.substr(kBuiltinOrigin.size());
  if (auto done = store().remember(shape(), run_.kernel, recipe, outcome.confirmed->speedup.ratio); !done)
    console_.warn("what won is not remembered for later runs: " + done.error().message);
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
      run_.stageSeconds[time.name] += time.seconds;
  };
  observer.confirming = [this](const Candidate &candidate, int) {
    console_.note("  confirming " + candidate.id + " (" + candidate.origin + ") with fresh pairs against the baseline");
  };
  return observer;
}

Result<void> OptimizeRun::finish(Journal &journal) {
  const RunOutcome &outcome = run_.outcome;
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
  run_.written = *written;
  for (const std::string &warning : run_.written.warnings)
    console_.warn(warning);
  return journal.written(run_.written.files);
}

/// What an interrupted run was asked for, unless said otherwise now.
void OptimizeRun::continueAsBefore(const RunConfig &then) {
  config_.seed = then.seed;
  config_.startRecipes = then.startRecipes;
  config_.startFrom = then.startFrom;
  if (options_.maxSeconds < 0)
    config_.maxSeconds = then.maxSeconds;
  if (options_.maxIterations < 0)
    config_.maxIterations = then.maxIterations;
}

/// The checked-in variants, ours first.
void OptimizeRun::offerExisting() {
  const ExistingVariants existing = readExisting(evaluator_->manifest().variantDir, evaluator_->spec());
  if (!existing.lock || options_.cold)
    return;
  for (const Lock::Variant &variant : existing.lock->variants)
    if (auto candidate = candidateOf(evaluator_->manifest().variantDir, variant, evaluator_->spec())) {
      const bool ours = variant.provenance.level == evaluator_->level().name &&
                        variant.provenance.family == familyName(evaluator_->compiler().family);
      request_.firstIsFresh = request_.firstIsFresh || (ours && existing.fresh());
      request_.existing.insert(ours ? request_.existing.begin() : request_.existing.end(), *candidate);
    }
}

Result<void> OptimizeRun::steps() {
  if (auto done = prepare(); !done)
    return done;
  if (auto done = settleStart(); !done)
    return done;
  auto journal = openJournal();
  if (!journal)
    return std::unexpected(journal.error());
  if (config_.resume)
    continueAsBefore(journal->record().config);
  run_.runDirectory = journal->directory();
  request_.config = config_;
  request_.startSeconds = start_;
  reserve();
  request_.cancelled = &interrupted();
  offerExisting();
  auto outcome = runLoop(*evaluator_, *agent_, *journal, request_, observer());
  if (!outcome)
    return std::unexpected(outcome.error());
  run_.outcome = std::move(*outcome);
  if (run_.outcome.reason == StopReason::Interrupted) {
    console_.note("interrupted; nothing was written; continue with --resume");
    return {};
  }
  if (auto done = finish(*journal); !done)
    return done;
  remember();
  return journal->finished(stopReasonText(run_.outcome.reason));
}

} // namespace

const Measurement *OptimizedKernel::measurement() const {
  if (isClaimed())
    return &written.claim;
  return outcome.best && outcome.confirmed ? &*outcome.confirmed : nullptr;
}

Result<void> optimizeKernel(Console &console, const OptimizeOptions &options, OptimizedKernel &run) {
  return OptimizeRun(console, options, run).run();
}

} // namespace agentic
