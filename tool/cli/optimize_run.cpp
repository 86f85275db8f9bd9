#include "tool/cli/optimize_run.h"

#include "tool/agent/builtin_agent.h"
#include "tool/agent/recipe_store.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/adequacy_gate.h"
#include "tool/cli/run_insights.h"
#include "tool/cli/run_settings.h"
#include "tool/evaluate/existing_variant.h"
#include "tool/search/journal.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

class OptimizeRun {
public:
  OptimizeRun(Console &console, const OptimizeOptions &options, OptimizedKernel &run)
      : console_(console), options_(options), run_(run), config_(run.config), evaluator_(run.evaluator),
        budget_(*run.budget) {
    run_.kernel = options.common.kernel;
  }

  Result<void> run() {
    Result<void> done = steps();
    if (journal_ && interruptedHere(done))
      if (auto paused = journal_->paused(budget_.used()); !paused)
        console_.warn(paused.error().message);
    if (budget_.isOver() && !interrupted() && interruptedHere(done))
      done = std::unexpected(budget_.overError(run_.kernel));
    budget_.release();
    run_.wallSeconds = budget_.wallSeconds();
    return done;
  }

private:
  Result<void> steps();
  Result<void> prepare();
  Result<void> openAgent(const Manifest &manifest);
  Result<void> startAgent();
  bool interruptedHere(const Result<void> &done) const {
    return done ? run_.outcome.reason == StopReason::Interrupted : done.error().kind == ErrorKind::Interrupted;
  }
  bool hasWinner() const;
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
  void count(const Evaluation &evaluation) const {
    for (const StageTime &time : evaluation.times)
      run_.stageSeconds[time.name] += time.seconds;
  }
  void noteAttempt(int iteration, const Attempt &attempt, bool incumbent, double best) const;
  Result<void> finish(Journal &journal);
  Result<void> refuseToWrite(Journal &journal, Error error);

  Console &console_;
  const OptimizeOptions &options_;
  OptimizedKernel &run_;
  RunConfig &config_;
  std::unique_ptr<Evaluator> &evaluator_;
  RunBudget &budget_;
  std::optional<Journal> journal_;
  std::optional<ReadyModel> model_;
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
  run_.kernel = manifest->kernel;
  const auto before =
      options_.config.resume ? unfinishedRun(runsDirectory(options_.common.buildDir), run_.kernel) : std::nullopt;
  auto config = settleRun(options_, *manifest, before ? &*before : nullptr);
  if (!config)
    return std::unexpected(config.error());
  config_ = std::move(*config);
  budget_.start(config_.maxSeconds, before ? before->secondsUsed : 0, interrupted());
  if (auto opened = openAgent(*manifest); !opened)
    return opened;
  // What would stop the write-back is said before anything is spent.
  if (config_.write && config_.patchFile.empty())
    if (auto writable = checkWritable(manifest->variantDir); !writable)
      return writable;
  console_.note(fmt::format("{}: preparing", manifest->kernel));
  EvaluatorOptions evaluatorOptions = options_.common.evaluatorOptions(console_);
  evaluatorOptions.seed = config_.seed;
  config_.threshold = evaluatorOptions.threshold;
  evaluatorOptions.secondsLimit = config_.maxSeconds;
  evaluatorOptions.feedback = feedbackRequest(config_, options_.common.buildDir);
  evaluatorOptions.cancelled = budget_.flag();
  evaluatorOptions.stage = [this](Stage stage) { drawProgress(stage); };
  evaluatorOptions.progress = [this, show = evaluatorOptions.progress](const std::string &line) {
    budget_.prepares(line);
    show(line);
  };
  auto evaluator = Evaluator::open(evaluatorOptions);
  if (!evaluator)
    return std::unexpected(evaluator.error());
  evaluator_ = std::move(*evaluator);
  if (auto fits = config_.write ? checkLevelLimit(*evaluator_) : Result<void>(); !fits)
    return fits;
  console_.note("  " + replaceAll(evaluator_->costEstimate(), "\n", "\n  "));
  budget_.prepares("finding out what the tests notice");
  auto adequacy = checkAdequacy(console_, *evaluator_, options_.common,
                                config_.resume ? AdequacyUse::OneCandidate : AdequacyUse::Search, budget_.left());
  if (!adequacy)
    return std::unexpected(adequacy.error());
  config_.adequacy = std::move(*adequacy);
  return {};
}

/// What is wrong with the agent is said before anything is prepared, and money asked for.
Result<void> OptimizeRun::openAgent(const Manifest &manifest) {
  if (!asksModel(config_.agent)) {
    const auto agent = makeAgent({.name = config_.agent});
    return agent ? Result<void>() : std::unexpected(agent.error());
  }
  auto model = openModel(config_.agent, options_.llm, config_.model, manifest.buildDir);
  if (!model)
    return std::unexpected(model.error());
  if (auto agreed = consentToPay(console_, *model, options_.llm, config_.model, manifest); !agreed)
    return agreed;
  model_.emplace(std::move(*model));
  return {};
}

/// The agent's own records lie beside the journal.
Result<void> OptimizeRun::startAgent() {
  AgentSettings settings{.name = config_.agent};
  if (model_) {
    settings = agentSettings(config_.agent, std::move(*model_), config_, *evaluator_);
    settings.llm.runDirectory = run_.runDirectory;
    settings.llm.cancelled = budget_.flag();
    settings.llm.progress = [this](const std::string &what) { console_.progress(what); };
  }
  auto agent = makeAgent(std::move(settings));
  if (!agent)
    return std::unexpected(agent.error());
  agent_ = std::move(*agent);
  return {};
}

/// What the search starts from: a given candidate, and what won before on kernels of this shape.
Result<void> OptimizeRun::settleStart() {
  if (!options_.seedFrom.empty()) {
    auto seed = readSettledCandidate(options_.seedFrom, OpenConstants::Refused);
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
  const RunIdentity identity = identityOf(*evaluator_);
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
  std::string verdict = evaluator_->isTimed() ? "not faster than the best" : "passes";
  if (evaluation.verdict == Verdict::Rejected)
    verdict = std::string("rejected by ") + stageName(evaluation.stage);
  else if (incumbent && evaluation.measurement)
    verdict = "new best " + ratioText(evaluation.measurement->speedup);
  console_.note(fmt::format("  [{:>3}] {:<26} best {:.2f}x  {:>6}  {}", iteration, verdict, best,
                            seconds(evaluation.seconds), attempt.candidate.origin));
}

/// Keeps time for confirm and write-back, and says so if the budget is too small for that.
void OptimizeRun::reserve() {
  budget_.reserveFor(evaluator_->calibration());
  request_.reserveSeconds = budget_.reserved();
  if (const std::string warning = budget_.warning(); !warning.empty())
    console_.warn(warning);
}

/// Something that could be confirmed.
bool OptimizeRun::hasWinner() const {
  return std::ranges::any_of(journal_->record().attempts, [](const Attempt &attempt) {
    return attempt.evaluation.verdict == Verdict::Accepted && attempt.evaluation.measurement;
  });
}

RunObserver OptimizeRun::observer() {
  RunObserver observer;
  observer.started = [this](int iteration, const Candidate &candidate, double best, double left) {
    current_ = {iteration, candidate.origin, best, left};
    drawProgress(Stage::Check);
  };
  observer.evaluated = [this](int iteration, const Attempt &attempt, bool incumbent, double best, double) {
    noteAttempt(iteration, attempt, incumbent, best);
    count(attempt.evaluation);
  };
  observer.unusable = [this](int iteration, const std::string &note) {
    console_.note(fmt::format("  [{:>3}] no candidate: {}", iteration, note));
  };
  observer.confirmed = [this](const Evaluation &evaluation) {
    count(evaluation);
    if (evaluation.verdict == Verdict::Accepted)
      return;
    const std::string why = evaluation.verdict == Verdict::Rejected
                                ? std::string("rejected by ") + stageName(evaluation.stage)
                                : std::string("not faster");
    console_.note("  not confirmed: " + why +
                  (evaluation.detail.empty() ? "" : "\n    " + replaceAll(evaluation.detail, "\n", "\n    ")));
  };
  observer.confirming = [this](const Candidate &candidate, int) {
    budget_.confirms(candidate);
    console_.note("  confirming " + candidate.id + " (" + candidate.origin + ") with fresh pairs against the baseline");
  };
  return observer;
}

/// The gates before files are written are gates like any other: what they reject is not offered again by --resume.
Result<void> OptimizeRun::refuseToWrite(Journal &journal, Error error) {
  if (error.kind != ErrorKind::Rejected)
    return std::unexpected(std::move(error));
  Evaluation evaluation;
  evaluation.kernel = run_.kernel;
  evaluation.candidate = run_.outcome.best->id;
  evaluation.verdict = Verdict::Rejected;
  evaluation.stage = Stage::Sanitize;
  evaluation.detail = error.message;
  if (auto noted = journal.confirmed(*run_.outcome.best, evaluation, budget_.used()); !noted)
    return noted;
  error.next += "; --resume confirms the next best candidate";
  return std::unexpected(std::move(error));
}

Result<void> OptimizeRun::finish(Journal &journal) {
  const RunOutcome &outcome = run_.outcome;
  if (!outcome.best || outcome.bestIsExisting || !config_.write)
    return {};
  for (const std::string &line : outcome.review)
    console_.note("  review: " + line);
  console_.note(evaluator_->isTimed() ? "  building, testing and measuring what a normal build will be"
                                      : "  building and testing what a normal build will be");
  budget_.writes(*outcome.best);
  WriteBackRequest request{.candidate = *outcome.best,
                           .confirmed = outcome.confirmed.value_or(Measurement()),
                           .agent = agentLabel(config_.agent),
                           .review = outcome.review,
                           .patchFile = config_.patchFile,
                           .deadline = budget_.end()};
  auto written = writeBack(*evaluator_, request);
  if (!written)
    return refuseToWrite(journal, written.error());
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
  config_.cold = then.cold;
  if (options_.maxIterations < 0)
    config_.maxIterations = then.maxIterations;
}

/// The checked-in variants, ours first.
void OptimizeRun::offerExisting() {
  const ExistingVariants existing = readExisting(evaluator_->manifest().variantDir, evaluator_->spec());
  if (!existing.lock || config_.cold)
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
  journal_.emplace(std::move(*journal));
  if (config_.resume)
    continueAsBefore(journal_->record().config);
  run_.runDirectory = journal_->directory();
  request_.config = config_;
  request_.startSeconds = budget_.startSeconds();
  reserve();
  request_.cancelled = budget_.flag();
  offerExisting();
  if (auto started = startAgent(); !started)
    return started;
  budget_.searches();
  auto outcome = runLoop(*evaluator_, *agent_, *journal_, request_, observer());
  if (const auto *asking = dynamic_cast<const LlmAgent *>(agent_.get()))
    run_.calls = asking->totals();
  if (!outcome)
    return std::unexpected(outcome.error());
  run_.outcome = std::move(*outcome);
  if (run_.outcome.reason == StopReason::Interrupted && !interrupted() && !hasWinner())
    run_.outcome.reason = StopReason::Time; // while the last candidate was evaluated: there is nothing to confirm
  if (run_.outcome.reason == StopReason::Interrupted) {
    if (interrupted())
      console_.note("interrupted; nothing was written; continue with --resume");
    return {};
  }
  if (auto done = finish(*journal_); !done)
    return done;
  remember();
  writeInsights(console_, *evaluator_, run_, options_.common.buildDir);
  return journal_->finished(stopReasonText(run_.outcome));
}

} // namespace

double settledSeconds(const OptimizeOptions &options, const Manifest &manifest) {
  if (options.maxSeconds >= 0)
    return options.maxSeconds;
  if (manifest.maxSeconds > 0)
    return manifest.maxSeconds;
  return (options.agent.empty() ? manifest.agent : options.agent) == "builtin" ? 180 : 0;
}

const Measurement *OptimizedKernel::measurement() const {
  if (isClaimed())
    return &written.claim;
  return outcome.best && outcome.confirmed ? &*outcome.confirmed : nullptr;
}

Result<void> optimizeKernel(Console &console, const OptimizeOptions &options, OptimizedKernel &run) {
  run.budget = std::make_unique<RunBudget>();
  return OptimizeRun(console, options, run).run();
}

} // namespace agentic
