#include "tool/cli/optimize_run.h"

#include "tool/agent/builtin_agent.h"
#include "tool/agent/recipe_store.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/cli/adequacy_gate.h"
#include "tool/cli/live_run.h"
#include "tool/cli/process_secrets.h"
#include "tool/cli/run_insights.h"
#include "tool/cli/run_settings.h"
#include "tool/search/journal.h"
#include "tool/search/stop_reason.h"
#include "tool/variants/existing_variant.h"

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
    live_.reset();
    if (journal_ && interruptedHere(done))
      if (auto paused = journal_->paused(budget_.used()); !paused)
        console_.warn(paused.error().message);
    if (budget_.isOver() && !interrupted() && interruptedHere(done))
      done = std::unexpected(budget_.overError(run_.kernel));
    budget_.release();
    run_.wallSeconds = journal_ && journal_->record().finished ? journal_->record().secondsUsed : budget_.used();
    return done;
  }

private:
  Result<void> steps();
  Result<void> prepare();
  Result<void> startAgent();
  std::string runsDir(const std::string &buildDir) const {
    return options_.runsDir.empty() ? runsDirectory(buildDir) : options_.runsDir;
  }
  bool interruptedHere(const Result<void> &done) const {
    return done ? run_.outcome.reason == StopReason::Interrupted : done.error().kind == ErrorKind::Interrupted;
  }
  bool hasWinner() const;
  Result<Journal> openJournal();
  void continueAsBefore(const RunConfig &then);
  Result<void> settleStart();
  void remember() const;
  void offerExisting();
  void on(const run_event::Asking &event);
  void on(const run_event::Started &event);
  void on(const run_event::Evaluated &event);
  void on(const run_event::OutOfTime &event);
  void on(const run_event::Unusable &event);
  void on(const run_event::Confirming &event);
  void on(const run_event::Confirmed &event);
  void planTime();
  RecipeStore store() const { return RecipeStore(userCacheFile("recipes.jsonl", options_.common.buildDir)); }
  std::string shape() const {
    return shapeOf(evaluator_->spec(), std::string(evaluator_->level().name),
                   familyName(evaluator_->compiler().family));
  }
  void showSpending() const;
  void count(const Evaluation &evaluation) const {
    for (const StageTime &time : evaluation.times)
      run_.stageSeconds[time.name] += time.seconds;
  }
  void noteAttempt(const run_event::Evaluated &event) const;
  Result<void> finish(Journal &journal);
  Result<void> refuseToWrite(Journal &journal, Error error);

  Console &console_;
  const OptimizeOptions &options_;
  OptimizedKernel &run_;
  RunConfig &config_;
  std::unique_ptr<Evaluator> &evaluator_;
  RunBudget &budget_;
  std::optional<Journal> journal_;
  RunAgents agents_; ///< outlives agent_
  std::unique_ptr<Agent> agent_;
  RunRequest request_;
  std::unique_ptr<LiveRun> live_; ///< while the run goes on
};

Result<void> OptimizeRun::prepare() {
  auto manifest = TRY(loadManifest(options_.common.buildDir, options_.common.kernel, options_.common.config));
  run_.kernel = manifest.kernel;
  const auto before =
      options_.config.resume ? unfinishedRun(runsDir(options_.common.buildDir), run_.kernel) : std::nullopt;
  config_ = TRY(settleRun(options_, manifest, before ? &*before : nullptr));
  if (options_.runsDir.empty()) // else said once for all runs
    warnOfUnused(console_, namesOf(config_), options_.llm);
  budget_.start(config_, before ? &*before : nullptr, interrupted());
  TRY(agents_.open(console_, config_, options_.llm, manifest));
  if (const ModelConfig &model = config_.model; model.spentBeforeUsd > 0 && agents_.asksModels())
    console_.note(fmt::format("  of the budget of {}, earlier runs of this command spent {}", usdText(model.budgetUsd),
                              usdText(model.spentBeforeUsd)));
  live_ = std::make_unique<LiveRun>(console_, budget_, run_.kernel, config_, join(agentLabels(namesOf(config_)), ", "));
  // What would stop the write-back is said before anything is spent.
  if (config_.write && config_.patchFile.empty())
    TRY(checkWritable(manifest.variantDir));
  console_.note(fmt::format("{}: preparing", manifest.kernel));
  EvaluatorOptions evaluatorOptions = options_.common.evaluatorOptions(console_);
  evaluatorOptions.seed = config_.seed;
  config_.threshold = evaluatorOptions.threshold;
  evaluatorOptions.secondsLimit = budget_.measure();
  evaluatorOptions.feedback = feedbackRequest(config_, options_.common.buildDir);
  evaluatorOptions.cancelled = budget_.flag();
  evaluatorOptions.stage = [this](Stage stage) { live_->enters(stage); };
  evaluatorOptions.progress = [this, show = evaluatorOptions.progress](const std::string &line) {
    budget_.prepares(line);
    live_->does(line);
    show(line);
  };
  evaluator_ = TRY(Evaluator::open(evaluatorOptions));
  live_->prepared(*evaluator_);
  TRY(config_.write ? checkLevelLimit(*evaluator_) : Result<void>());
  console_.note("  " + replaceAll(evaluator_->costEstimate(), "\n", "\n  "));
  if (const std::string strict = strictness(evaluator_->spec()); !strict.empty())
    console_.note("  " + strict);
  budget_.prepares("finding out what the tests notice");
  config_.adequacy = TRY(checkAdequacy(console_, *evaluator_, options_.common,
                                       config_.resume ? AdequacyUse::OneCandidate : AdequacyUse::Search,
                                       budget_.isLimited() ? std::min(budget_.measure(), budget_.left()) : 0));
  return {};
}

/// The agents' own records lie beside the journal.
Result<void> OptimizeRun::startAgent() {
  auto agent = agents_.start(config_, *evaluator_,
                             {.runDirectory = run_.runDirectory,
                              .cancelled = budget_.flag(),
                              .progress = [this](const std::string &what) { console_.progress(what); },
                              .note = [this](const std::string &what) { console_.note("  " + what); },
                              .warn = [this](const std::string &what) { console_.warn(what); },
                              .stopped = [this](const std::string &why) { console_.note("  stopped: " + why); }});
  if (!agent)
    return std::unexpected(agent.error());
  agent_ = std::move(*agent);
  return {};
}

/// What the search starts from: a given candidate, and what won before on kernels of this shape.
Result<void> OptimizeRun::settleStart() {
  if (!options_.seedFrom.empty()) {
    auto seed = TRY(readSettledCandidate(options_.seedFrom, OpenConstants::Refused));
    config_.startFrom = seed.id;
    request_.existing.push_back(std::move(seed));
  }
  if (!options_.cold && options_.seedFrom.empty())
    config_.startRecipes = store().recall(shape());
  return {};
}

void OptimizeRun::remember() const {
  const RunOutcome &outcome = run_.outcome;
  if (!outcome.best || !outcome.confirmed || !outcome.best->origin.starts_with(kBuiltinOrigin) ||
      !config_.startFrom.empty() || !config_.optimization.empty())
    return; // what wins without optimization says nothing of the kernel as it is built
  const std::string recipe = outcome.best->origin.substr(kBuiltinOrigin.size());
  if (auto done = store().remember(shape(), run_.kernel, recipe, outcome.confirmed->speedup.ratio); !done)
    console_.warn("what won is not remembered for later runs: " + done.error().message);
}

Result<Journal> OptimizeRun::openJournal() {
  const std::string runs = runsDir(evaluator_->manifest().buildDir);
  const RunIdentity identity = identityOf(*evaluator_, config_);
  return config_.resume ? Journal::resume(runs, identity, withoutSecrets)
                        : Journal::create(runs, identity, journaled(config_), withoutSecrets);
}

void OptimizeRun::showSpending() const {
  if (const auto totals = agents_.totals())
    live_->spent(*totals, std::max(0.0, config_.model.budgetUsd - config_.model.spentBeforeUsd), agents_.isBilled());
}

/// One line per attempt, but none for code that was measured before: a search makes dozens of those.
void OptimizeRun::noteAttempt(const run_event::Evaluated &event) const {
  const Evaluation &evaluation = event.attempt.evaluation;
  if (!evaluation.sameCodeAs.empty())
    return;
  std::string verdict = evaluator_->isTimed() ? "not faster than the best" : "passes";
  if (evaluation.verdict == Verdict::Rejected)
    verdict = std::string("rejected by ") + stageName(evaluation.stage);
  else if (event.becameIncumbent && evaluation.measurement)
    verdict = "new best " + ratioText(evaluation.measurement->speedup);
  console_.note(fmt::format("  [{:>3}] {:<26} best {:.2f}x  {:>6}  {}", event.iteration, verdict, event.bestRatio,
                            seconds(evaluation.seconds), event.attempt.candidate.origin));
}

/// Divides the time that there is, and says so.
void OptimizeRun::planTime() {
  budget_.plan(evaluator_->calibration(), !journal_->record().confirming.empty());
  request_.startSeconds = budget_.startSeconds();
  request_.secondsBefore = budget_.usedBefore();
  request_.searchSeconds = budget_.searchSeconds();
  if (const std::string plan = budget_.planText(); !plan.empty())
    console_.note("  " + plan);
  if (const std::string warning = budget_.warning(); !warning.empty())
    console_.warn(warning);
}

/// Something that could be confirmed.
bool OptimizeRun::hasWinner() const {
  return std::ranges::any_of(journal_->record().attempts, [](const Attempt &attempt) {
    return attempt.evaluation.verdict == Verdict::Accepted && attempt.evaluation.measurement;
  });
}

void OptimizeRun::on(const run_event::Asking &event) {
  live_->asks(event.iteration);
}

void OptimizeRun::on(const run_event::Started &event) {
  showSpending();
  live_->started(event.iteration, event.candidate);
}

void OptimizeRun::on(const run_event::Evaluated &event) {
  noteAttempt(event);
  live_->evaluated(event.attempt, event.becameIncumbent, event.bestRatio);
  count(event.attempt.evaluation);
}

void OptimizeRun::on(const run_event::OutOfTime &event) {
  console_.note(fmt::format("        {:<26} {}", "out of time", event.candidate.origin));
}

void OptimizeRun::on(const run_event::Unusable &event) {
  showSpending();
  live_->unusable();
  console_.note(fmt::format("  [{:>3}] no candidate: {}", event.iteration, event.note));
}

void OptimizeRun::on(const run_event::Confirming &event) {
  budget_.confirms(event.candidate);
  live_->confirming(event.candidate);
  console_.note("  confirming " + event.candidate.id + " (" + event.candidate.origin +
                ") with fresh pairs against the baseline");
}

void OptimizeRun::on(const run_event::Confirmed &event) {
  const Evaluation &evaluation = event.evaluation;
  count(evaluation);
  live_->confirmed(evaluation);
  if (evaluation.verdict == Verdict::Accepted)
    return;
  const std::string why = evaluation.verdict == Verdict::Rejected
                              ? std::string("rejected by ") + stageName(evaluation.stage)
                              : std::string("not faster");
  console_.note("  not confirmed: " + why +
                (evaluation.detail.empty() ? "" : "\n    " + replaceAll(evaluation.detail, "\n", "\n    ")));
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
  TRY(journal.confirmed(*run_.outcome.best, evaluation, budget_.used()));
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
  live_->does("building and measuring what will ship");
  WriteBackRequest request{.candidate = *outcome.best,
                           .confirmed = outcome.confirmed.value_or(Measurement()),
                           .agent = agentOf(config_, journal.record(), outcome.best->id),
                           .review = outcome.review,
                           .patchFile = config_.patchFile,
                           .deadline = budget_.end()};
  auto written = writeBack(*evaluator_, request);
  if (!written)
    return refuseToWrite(journal, written.error());
  run_.written = *written;
  for (const std::string &warning : run_.written.warnings)
    console_.warn(warning);
  return journal.written(run_.written.files, run_.written.claim, budget_.used());
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
  TRY(prepare());
  TRY(settleStart());
  auto journal = TRY(openJournal());
  journal_.emplace(std::move(journal));
  if (!config_.resume)
    if (auto described = journal_->described(describeRun(*evaluator_), evaluator_->spec().text, budget_.used());
        !described)
      return described;
  if (config_.resume)
    continueAsBefore(journal_->record().config);
  run_.runDirectory = journal_->directory();
  request_.config = config_;
  planTime();
  request_.cancelled = budget_.flag();
  offerExisting();
  TRY(startAgent());
  showSpending();
  budget_.searches();
  live_->begins(journal_->record());
  auto outcome = runLoop(*evaluator_, *agent_, *journal_, request_, [this](const RunEvent &event) {
    std::visit([this](const auto &happened) { on(happened); }, event);
  });
  run_.calls = agents_.totals();
  run_.agents = resultsOf(agents_, config_, journal_->record());
  if (!outcome)
    return std::unexpected(outcome.error());
  run_.outcome = std::move(*outcome);
  if (run_.outcome.reason == StopReason::Interrupted && !interrupted() && !hasWinner())
    run_.outcome.reason = StopReason::Time; // while the last candidate was evaluated: there is nothing to confirm
  if (run_.outcome.reason == StopReason::Interrupted) {
    if (interrupted())
      console_.note("interrupted; nothing was written" + keptText(journal_->record()) + "; continue with --resume");
    return {};
  }
  if (run_.outcome.best)
    run_.peak = peakOf(journal_->record(), run_.outcome.best->id);
  TRY(finish(*journal_));
  remember();
  writeInsights(console_, *evaluator_, run_, options_.common.buildDir);
  return journal_->finished(reasonAndRemedy(run_.outcome, budget_.moreTime()), budget_.used());
}

} // namespace

const Measurement *OptimizedKernel::measurement() const {
  if (isClaimed())
    return &written.claim;
  return outcome.best && outcome.confirmed ? &*outcome.confirmed : nullptr;
}

Result<void> optimizeKernel(Console &console, const OptimizeOptions &options, OptimizedKernel &run) {
  run.budget = std::make_unique<RunBudget>();
  auto done = OptimizeRun(console, options, run).run();
  if (options.command)
    options.command->add(run.config.model, run.calls.value_or(CallTotals()), options.config.resume,
                         !run.agents.empty());
  return done;
}

} // namespace agentic
