#include "tool/run/optimize_run.h"
#include "tool/run/farm.h"

#include "tool/agent/builtin_agent.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/run/adequacy_gate.h"
#include "tool/run/candidate_file.h"
#include "tool/run/run_insights.h"
#include "tool/run/run_memory.h"
#include "tool/run/run_recipes.h"
#include "tool/run/run_settings.h"
#include "tool/run/run_shortening.h"
#include "tool/run/run_tree.h"
#include "tool/search/ask_strategy.h"
#include "tool/search/journal.h"
#include "tool/search/journal_fold.h"
#include "tool/search/stop_reason.h"
#include "tool/variants/existing_variant.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

class OptimizeRun {
public:
  OptimizeRun(RunView &view, const Surroundings &surroundings, const OptimizeOptions &options, OptimizedKernel &run)
      : view_(view), messages_(view.messages()), surroundings_(surroundings), options_(options), run_(run),
        config_(run.config), evaluator_(run.evaluator), budget_(*run.budget) {
    run_.kernel = options.target.kernel;
  }

  Result<void> run() {
    Result<void> done = steps();
    view_.ends();
    const bool searchesAgain = options_.outside && options_.outside->searchesAgain();
    if (journal_ && interruptedHere(done))
      if (auto paused = journal_->paused(budget_.used(), searchesAgain); !paused)
        messages_.warn(paused.error().message);
    if (budget_.isOver() && !surroundings_.isInterrupted() && interruptedHere(done))
      done = std::unexpected(budget_.overError(run_.kernel));
    budget_.release();
    run_.wallSeconds = journal_ && journal_->record().finished ? journal_->record().secondsUsed : budget_.used();
    return done;
  }

private:
  Result<void> steps();
  Result<void> prepare();
  Result<void> sayUncovered();
  Result<void> startAgent();
  std::string runsDir(const std::string &buildDir) const {
    return options_.runsDir.empty() ? runsDirectory(buildDir) : options_.runsDir;
  }
  bool interruptedHere(const Result<void> &done) const {
    return done ? run_.outcome.reason == StopReason::Interrupted : done.error().kind == ErrorKind::Interrupted;
  }
  bool hasWinner() const;
  Result<Journal> openJournal();
  Result<void> settleStart();
  void remember() const;
  void offerExisting();
  void on(const RunEvent &event);
  void planTime();
  void showSpending() const;
  Result<void> finish(Journal &journal);
  Result<void> refuseToWrite(Journal &journal, Stage gate, Error error);

  RunView &view_;
  Messages &messages_;
  const Surroundings &surroundings_;
  const OptimizeOptions &options_;
  OptimizedKernel &run_;
  RunConfig &config_;
  std::unique_ptr<Evaluator> &evaluator_;
  RunBudget &budget_;
  std::optional<Journal> journal_;
  RunAgents agents_;             ///< outlives agent_
  std::unique_ptr<Agent> agent_; ///< nullptr: the agent is outside
  RunRequest request_;
  std::optional<RunMemory> memory_; ///< once there is a journal
  bool isRoundOver_ = false;        ///< what it taught is not kept yet
};

Result<void> OptimizeRun::prepare() {
  auto manifest = TRY(loadManifest(options_.target.buildDir, options_.target.kernel, options_.target.config));
  run_.kernel = manifest.kernel;
  const auto before =
      options_.config.resume ? unfinishedRun(runsDir(options_.target.buildDir), run_.kernel) : std::nullopt;
  config_ = TRY(settleRun(options_, manifest, before ? &*before : nullptr));
  if (options_.runsDir.empty()) // else reported once for all runs
    warnOfUnused(messages_, namesOf(config_), options_.llm);
  budget_.start(config_, before ? &*before : nullptr, *surroundings_.cancelled);
  if (options_.outside)
    run_.withdrawal = std::make_unique<Withdrawal>(*budget_.flag());
  else
    TRY(agents_.open(messages_, surroundings_, config_, options_.llm, manifest));
  if (const ModelConfig &model = config_.model; model.spentBeforeUsd > 0 && agents_.asksModels())
    messages_.note(fmt::format("  of the budget of {}, earlier runs of this command spent {}", usdText(model.budgetUsd),
                               usdText(model.spentBeforeUsd)));
  view_.begins({.kernel = run_.kernel,
                .agents = join(agentLabels(namesOf(config_)), ", "),
                .maxIterations = config_.maxIterations},
               budget_);
  // Reports what would stop the write-back before anything is spent.
  if (config_.write && config_.patchFile.empty())
    TRY(checkWritable(manifest.variantDir));
  messages_.note(fmt::format("{}: preparing", manifest.kernel));
  EvaluatorOptions evaluatorOptions = agentic::evaluatorOptions(options_.target, messages_, surroundings_);
  evaluatorOptions.seed = config_.seed;
  evaluatorOptions.farm = TRY(farmOptions(config_.farm, surroundings_));
  evaluatorOptions.farm.kind = config_.measuredOn;
  evaluatorOptions.runsOnHosts = config_.runsOnHosts;
  evaluatorOptions.farm.isResumed = !config_.farmRun.empty();
  if (!config_.farm.empty() && config_.farmRun.empty())
    config_.farmRun = newTaskId();
  evaluatorOptions.farm.run = config_.farmRun;
  evaluatorOptions.workers = config_.model.parallel > 1 ? std::size_t(config_.model.parallel) : 0;
  config_.threshold = evaluatorOptions.threshold;
  evaluatorOptions.secondsLimit = budget_.measure();
  evaluatorOptions.feedback = feedbackRequest(config_, evaluatorOptions.rooflineFile);
  evaluatorOptions.describesCode =
      TRY(parseAskStrategy(config_.model.strategy)).row->needsTraits && agents_.asksModels();
  evaluatorOptions.cancelled = run_.withdrawal ? run_.withdrawal->flag() : budget_.flag();
  evaluatorOptions.stage = [this](Stage stage) { view_.enters(stage); };
  evaluatorOptions.progress = [this, show = evaluatorOptions.progress](const std::string &line) {
    budget_.prepares(line);
    view_.does(line);
    show(line);
  };
  evaluator_ = TRY(Evaluator::open(evaluatorOptions));
  if (before && config_.measuredOn != evaluator_->measuredOn())
    return userError(fmt::format("the run measured on {} before, and would now on {}: ratios of two kinds of machines "
                                 "cannot be compared",
                                 config_.measuredOn.empty() ? "this machine" : config_.measuredOn,
                                 config_.farm.empty() ? "this machine" : evaluator_->measuredOn()),
                     "name hosts of that kind with --farm, or start a new run");
  config_.measuredOn = evaluator_->measuredOn();
  view_.prepared(*evaluator_);
  TRY(config_.write ? checkLevelLimit(*evaluator_) : Result<void>());
  messages_.note("  " + replaceAll(evaluator_->costEstimate(), "\n", "\n  "));
  if (const std::string strict = strictness(evaluator_->spec()); !strict.empty())
    messages_.note("  " + strict);
  budget_.prepares("finding out what the tests notice");
  std::optional<double> seconds = budget_.left();
  if (seconds)
    seconds = std::min(budget_.measure(), *seconds);
  config_.adequacy = TRY(checkAdequacy(messages_, *evaluator_, options_.target,
                                       config_.resume ? AdequacyUse::OneCandidate : AdequacyUse::Search, seconds));
  TRY(sayUncovered());
  return options_.outside ? options_.outside->prepared(*evaluator_, *run_.withdrawal) : Result<void>();
}

/// What confirmation would refuse of the unchanged kernel itself is said before anything is searched.
Result<void> OptimizeRun::sayUncovered() {
  budget_.prepares("finding out what the tests run");
  Result<std::string> uncovered = evaluator_->uncovered();
  if (!uncovered && uncovered.error().kind != ErrorKind::User)
    return std::unexpected(uncovered.error());
  if (!uncovered)
    messages_.warn("what the tests run of the kernel is not known: " + uncovered.error().message);
  config_.uncovered = uncovered.value_or(std::string());
  if (!config_.uncovered.empty())
    messages_.warn(config_.uncovered);
  return {};
}

/// The agents' own records are beside the journal.
Result<void> OptimizeRun::startAgent() {
  if (options_.outside)
    return {};
  agent_ = TRY(agents_.start(config_, *evaluator_, surroundings_,
                             {.runDirectory = run_.runDirectory,
                              .cancelled = budget_.flag(),
                              .progress = [this](const std::string &what) { messages_.progress(what); },
                              .note = [this](const std::string &what) { messages_.note("  " + what); },
                              .warn = [this](const std::string &what) { messages_.warn(what); },
                              .stopped = [this](const std::string &why) { messages_.note("  stopped: " + why); }}));
  return {};
}

/// Settles the search's starting points: a given candidate, and earlier winners on kernels of this shape.
Result<void> OptimizeRun::settleStart() {
  if (!options_.seedFrom.empty()) {
    auto seed = TRY(readSettledCandidate(options_.seedFrom, OpenConstants::Refused));
    config_.startFrom = seed.id;
    request_.existing.push_back(std::move(seed));
  }
  if (options_.seedFrom.empty())
    config_.startRecipes = recallRecipes(messages_, surroundings_, config_, *evaluator_);
  if (!config_.resume)
    config_.recalled = recallMemory(messages_, surroundings_, config_, *evaluator_);
  if (!config_.recalled.empty())
    messages_.note(fmt::format("  memory: models are told of {} changes of earlier runs", config_.recalled.size()));
  return {};
}

void OptimizeRun::remember() const {
  const RunOutcome &outcome = run_.outcome;
  if (!outcome.best || !outcome.confirmed || !outcome.best->origin.starts_with(kBuiltinOrigin) ||
      !config_.startFrom.empty())
    return;
  rememberRecipe(messages_, surroundings_, config_, *evaluator_, outcome.best->origin.substr(kBuiltinOrigin.size()),
                 outcome.confirmed->speedup.ratio);
}

Result<Journal> OptimizeRun::openJournal() {
  const std::string runs = runsDir(evaluator_->manifest().buildDir);
  const RunIdentity identity = identityOf(*evaluator_, config_);
  return config_.resume ? Journal::resume(runs, identity, surroundings_.redact())
                        : Journal::create(runs, identity, journaled(config_), surroundings_.redact());
}

void OptimizeRun::showSpending() const {
  if (const auto totals = agents_.totals())
    view_.spent(*totals, std::max(0.0, config_.model.budgetUsd - config_.model.spentBeforeUsd), agents_.isBilled());
}

/// Divides the available time and reports that.
void OptimizeRun::planTime() {
  budget_.plan(evaluator_->calibration(), !journal_->record().confirming.empty());
  request_.startSeconds = budget_.startSeconds();
  request_.secondsBefore = budget_.usedBefore();
  request_.searchSeconds = budget_.searchSeconds();
  if (const std::string plan = budget_.planText(); !plan.empty())
    messages_.note("  " + plan);
  if (const std::string warning = budget_.warning(); !warning.empty())
    messages_.warn(warning);
}

/// Returns whether some candidate could be confirmed.
bool OptimizeRun::hasWinner() const {
  return std::ranges::any_of(journal_->record().attempts, [](const Attempt &attempt) {
    return attempt.evaluation.verdict == Verdict::Accepted && attempt.evaluation.measurement;
  });
}

/// Records the run's own part of an event; the rest is the view's.
void OptimizeRun::on(const RunEvent &event) {
  // A summarizer is asked before the next file, so that its words on a round come with that.
  if (std::holds_alternative<run_event::Asking>(event))
    isRoundOver_ = true;
  else if (std::exchange(isRoundOver_, false))
    memory_->endRound(journal_->record().summaries);
  if (std::holds_alternative<run_event::Started>(event) || std::holds_alternative<run_event::Unusable>(event))
    showSpending();
  run_.stageTimes.happened(event);
  if (const auto *evaluated = std::get_if<run_event::Evaluated>(&event))
    memory_->saw(evaluated->attempt);
  if (const auto *confirming = std::get_if<run_event::Confirming>(&event))
    budget_.confirms(confirming->candidate);
  view_.happened(event);
  if (std::holds_alternative<run_event::Evaluated>(event) || std::holds_alternative<run_event::Unusable>(event))
    view_.branches(branchesIn(journal_->record()));
}

/// The gates before files are written count like any other: --resume does not offer again what they reject.
Result<void> OptimizeRun::refuseToWrite(Journal &journal, Stage gate, Error error) {
  if (error.kind != ErrorKind::Rejected)
    return std::unexpected(std::move(error));
  Evaluation evaluation;
  evaluation.kernel = run_.kernel;
  evaluation.candidate = run_.outcome.best->id;
  evaluation.verdict = Verdict::Rejected;
  evaluation.stage = gate;
  evaluation.detail = error.message;
  TRY(journal.confirmed(*run_.outcome.best, evaluation, budget_.used()));
  error.next += "; --resume confirms the next best candidate";
  return std::unexpected(std::move(error));
}

Result<void> OptimizeRun::finish(Journal &journal) {
  const RunOutcome &outcome = run_.outcome;
  if (outcome.best && !config_.write && !evaluator_->manifest().endToEnd.empty())
    messages_.note("  end to end: not measured, because without a write-back nothing is built as it ships");
  if (!outcome.best || outcome.bestIsExisting || !config_.write)
    return {};
  for (const std::string &line : outcome.review)
    messages_.note("  review: " + line);
  messages_.note(evaluator_->isTimed() ? "  building, testing and measuring what a normal build will be"
                                       : "  building and testing what a normal build will be");
  budget_.writes(*outcome.best);
  view_.does("building and measuring what will ship");
  Stage gate = Stage::Compile;
  WriteBackRequest request{.candidate = *outcome.best,
                           .confirmed = outcome.confirmed.value_or(Measurement()),
                           .agent = agentOf(config_, journal.record(), outcome.best->id),
                           .shortening = outcome.shortening,
                           .reviewed = outcome.reviewed,
                           .review = outcome.review,
                           .patchFile = config_.patchFile,
                           .deadline = budget_.end(),
                           .gate = [&gate](Stage stage) { gate = stage; }};
  const double start = steadySeconds();
  auto written = writeBack(*evaluator_, request);
  run_.stageTimes.add(kWritingBack, steadySeconds() - start);
  if (!written)
    return refuseToWrite(journal, gate, written.error());
  run_.written = *written;
  for (const std::string &warning : run_.written.warnings)
    messages_.warn(warning);
  return journal.written(run_.written.files, run_.written.claim, run_.written.endToEnd, budget_.used());
}

/// Offers the checked-in variants, ours first.
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
    continueAsBefore(config_, journal_->record().config, options_);
  memory_.emplace(messages_, surroundings_, config_, *evaluator_, journal_->record().attempts);
  run_.runDirectory = journal_->directory();
  request_.config = config_;
  planTime();
  request_.cancelled = budget_.flag();
  request_.withdrawal = run_.withdrawal.get();
  request_.shortening = shorteningFor(config_, *evaluator_, budget_, *journal_);
  offerExisting();
  TRY(startAgent());
  showSpending();
  budget_.searches();
  view_.searches(journal_->record());
  Agent &agent = options_.outside ? *options_.outside : *agent_;
  auto outcome = runLoop(*evaluator_, agent, *journal_, request_, [this](const RunEvent &event) { on(event); });
  memory_->endRound(journal_->record().summaries);
  run_.calls = agents_.totals();
  run_.roles = roleTotalsOf(run_.runDirectory, config_);
  run_.agents = resultsOf(agents_, config_, journal_->record());
  if (!outcome)
    return std::unexpected(outcome.error());
  run_.outcome = std::move(*outcome);
  if (run_.outcome.reason == StopReason::Interrupted && !surroundings_.isInterrupted() && !hasWinner())
    run_.outcome.reason = StopReason::Time; // during the last evaluation: there is nothing to confirm
  if (run_.outcome.reason == StopReason::Interrupted) {
    if (surroundings_.isInterrupted())
      messages_.note("interrupted; nothing was written" + keptText(journal_->record()) + "; continue with --resume");
    return {};
  }
  if (run_.outcome.best)
    run_.peak = peakOf(journal_->record(), run_.outcome.best->id);
  else
    run_.nearest = nearestTo(journal_->record());
  TRY(finish(*journal_));
  remember();
  writeInsights(messages_, surroundings_, run_);
  return journal_->finished(reasonAndRemedy(run_.outcome, budget_.moreTime()), budget_.used());
}

} // namespace

const Measurement *OptimizedKernel::measurement() const {
  if (isClaimed())
    return &written.claim;
  return outcome.best && outcome.confirmed ? &*outcome.confirmed : nullptr;
}

Result<void> optimizeKernel(RunView &view, const Surroundings &surroundings, const OptimizeOptions &options,
                            OptimizedKernel &run) {
  run.budget = std::make_unique<RunBudget>();
  auto done = OptimizeRun(view, surroundings, options, run).run();
  if (options.command)
    options.command->add(run.config.model, run.calls.value_or(CallTotals()), options.config.resume,
                         !run.agents.empty());
  return done;
}

} // namespace agentic
