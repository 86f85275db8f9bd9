#include "tool/evaluate/evaluator.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/evaluate/preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>

namespace agentic {
namespace {

constexpr std::size_t kDetailCap = 4096;
constexpr int kConfirmPairs = 12;
constexpr double kConfirmAlpha = 0.005; // one side of a 99 % interval

class StagedEvaluator : public Evaluator {
public:
  StagedEvaluator(const EvaluatorOptions &options, Prepared prepared, ScratchDirectory scratch)
      : options_(options), prepared_(std::move(prepared)), scratch_(std::move(scratch)) {}

  const Manifest &manifest() const override { return prepared_.manifest; }
  const KernelSpec &spec() const override { return prepared_.spec; }
  const Level &level() const override { return *prepared_.level; }
  const Compiler &compiler() const override { return prepared_.compiler; }
  const Calibration &calibration() const override { return prepared_.facts.calibration; }
  const std::vector<std::string> &compileFlags() const override { return prepared_.shadow.command.arguments; }
  const std::vector<StageTime> &preparationTimes() const override { return prepared_.times; }
  StageFacts stageFacts() const override {
    return {context(), prepared_.facts.tests, prepared_.facts.benchmarks, rule(), prepared_.shadow.benchmarks};
  }
  Result<void> recheckInputs() override { return recheck(prepared_, options_); }

  Result<Evaluation> evaluate(const Candidate &candidate, const Candidate *incumbent, double seconds) override;
  Result<Evaluation> confirm(const Candidate &candidate, int attempt) override;
  std::string costEstimate() const override;

private:
  /// One evaluation in progress.
  struct Run {
    Evaluation evaluation;
    double start = 0, limit = 0;
    double left() const { return limit <= 0 ? 0 : std::max(1e-3, limit - (steadySeconds() - start)); }
    bool expired() const { return limit > 0 && steadySeconds() - start > limit; }
  };

  void enter(Stage stage) const {
    if (options_.stage)
      options_.stage(stage);
  }
  RunContext context() const { return prepared_.runContext(options_, scratch_.path().string()); }
  DecisionRule searchRule() const {
    DecisionRule rule = this->rule();
    rule.needsPromise = true;
    return rule;
  }
  DecisionRule rule() const {
    DecisionRule rule;
    rule.threshold = options_.threshold;
    rule.seed = options_.seed;
    return rule;
  }
  Run begin(const Candidate &candidate, double seconds) const;
  Evaluation finish(Run &run, Verdict verdict, Stage stage, std::string detail = {}) const;
  void remember(const Evaluation &evaluation);
  std::optional<Evaluation> sameCode(Run &run, const std::string &hash) const;

  Result<std::optional<BuiltCandidate>> build(Run &run, const Candidate &candidate);
  Result<BuiltCandidate> buildAgain(const Candidate &candidate);
  Result<bool> testsPass(Run &run, const BuiltCandidate &built);
  Result<BenchmarkOutcome> benchmark(Run &run, const std::string &reference, const std::string &candidate,
                                     const DecisionRule &rule);
  Result<Evaluation> compare(Run &run, const BuiltCandidate &built, const Candidate *incumbent);
  Evaluation undecided(Run &run, Stage stage, const BenchmarkOutcome &outcome) const;

  EvaluatorOptions options_;
  Prepared prepared_;
  ScratchDirectory scratch_;
  std::map<std::string, BuiltCandidate> built_; ///< by candidate's id
  std::map<std::string, Evaluation> byCode_;    ///< by object hash
  std::vector<double> confirmations_;           ///< p-values, for Holm's correction
};

StagedEvaluator::Run StagedEvaluator::begin(const Candidate &candidate, double seconds) const {
  Run run;
  run.start = steadySeconds();
  run.limit = seconds;
  run.evaluation.kernel = prepared_.spec.kernel;
  run.evaluation.candidate = candidate.id;
  return run;
}

Evaluation StagedEvaluator::finish(Run &run, Verdict verdict, Stage stage, std::string detail) const {
  Evaluation &evaluation = run.evaluation;
  evaluation.verdict = verdict;
  evaluation.stage = stage;
  if (!detail.empty())
    evaluation.detail = std::move(detail);
  if (evaluation.detail.size() > kDetailCap)
    evaluation.detail = evaluation.detail.substr(0, kDetailCap - 3) + "…";
  evaluation.seconds = steadySeconds() - run.start;
  return evaluation;
}

void StagedEvaluator::remember(const Evaluation &evaluation) {
  // A verdict for want of time says nothing about the code.
  bool isKnown = evaluation.verdict == Verdict::Rejected || evaluation.measurement || evaluation.againstIncumbent;
  if (isKnown && !evaluation.objectHash.empty())
    byCode_.try_emplace(evaluation.objectHash, evaluation);
}

/// The verdict of identical object code, if there was one.
std::optional<Evaluation> StagedEvaluator::sameCode(Run &run, const std::string &hash) const {
  if (hash == prepared_.facts.objectHash) {
    run.evaluation.sameCodeAs = "baseline";
    return finish(run, Verdict::NotFaster, Stage::Audit, "the compiler makes the same code of it as of the baseline");
  }
  auto earlier = byCode_.find(hash);
  if (earlier == byCode_.end() || earlier->second.candidate == run.evaluation.candidate)
    return std::nullopt;
  run.evaluation.sameCodeAs = earlier->second.candidate;
  run.evaluation.measurement = earlier->second.measurement;
  return finish(run, earlier->second.verdict, earlier->second.stage,
                "same code as " + earlier->second.candidate + ". " + earlier->second.detail);
}

/// check, compile, audit. nullopt = refused, and the evaluation says why.
Result<std::optional<BuiltCandidate>> StagedEvaluator::build(Run &run, const Candidate &candidate) {
  enter(Stage::Check);
  std::string directory = (scratch_.path() / sha256(candidate.text).substr(0, 16)).string();
  if (Result<void> made = createDirectories(directory); !made)
    return std::unexpected(made.error());
  BuildContext context = prepared_.buildContext(options_);
  context.secondsLeft = run.left();
  Result<BuildOutcome> outcome = buildCandidate(context, candidate, directory);
  if (!outcome)
    return std::unexpected(outcome.error());
  run.evaluation.times.insert(run.evaluation.times.end(), outcome->times.begin(), outcome->times.end());
  if (!outcome->built) {
    run.evaluation.findings = std::move(outcome->refusal.findings);
    finish(run, Verdict::Rejected, outcome->refusal.stage, std::move(outcome->refusal.detail));
    return std::optional<BuiltCandidate>();
  }
  run.evaluation.objectHash = outcome->built->objectHash;
  built_[candidate.id] = *outcome->built;
  return std::move(outcome->built);
}

/// Of a candidate that passed before, perhaps in another process.
Result<BuiltCandidate> StagedEvaluator::buildAgain(const Candidate &candidate) {
  auto found = built_.find(candidate.id);
  if (found != built_.end())
    return found->second;
  Run run = begin(candidate, 0);
  Result<std::optional<BuiltCandidate>> built = build(run, candidate);
  if (!built)
    return std::unexpected(built.error());
  if (!*built)
    return userError("candidate " + candidate.id + ", which was accepted before, is refused now at stage " +
                         stageName(run.evaluation.stage),
                     "start a new run: compiler, flags or this tool changed");
  return std::move(**built);
}

/// The tests and, at the same time, the compile without the project's own ISA flags.
Result<bool> StagedEvaluator::testsPass(Run &run, const BuiltCandidate &built) {
  enter(Stage::Test);
  BuildContext buildContext = prepared_.buildContext(options_);
  buildContext.secondsLeft = run.left();
  std::future<Result<std::string>> generic =
      std::async(std::launch::async, [&] { return genericBuildProblem(buildContext, built, options_.cancelled); });
  double start = steadySeconds();
  TestRequest request;
  request.programs = &prepared_.shadow.tests;
  request.filter = prepared_.manifest.testFilter;
  request.sharedObject = built.sharedObject;
  request.seed = unsigned((options_.seed + confirmations_.size()) % 99999 + 1);
  request.logFile = prepared_.workRoot + "/logs/" + prepared_.spec.kernel + "-" + run.evaluation.candidate + ".txt";
  Result<TestOutcome> outcome = runTests(context(), request, prepared_.facts.tests);
  run.evaluation.times.push_back({"test", steadySeconds() - start});
  Result<std::string> problem = generic.get();
  run.evaluation.times.push_back(
      {"generic-compile-wait", steadySeconds() - start - run.evaluation.times.back().seconds});
  if (!outcome)
    return std::unexpected(outcome.error());
  if (!outcome->passed) {
    finish(run, Verdict::Rejected, Stage::Test, outcome->detail);
    return false;
  }
  if (!problem)
    return std::unexpected(problem.error());
  if (!problem->empty())
    finish(run, Verdict::Rejected, Stage::Compile, *problem);
  return problem->empty();
}

Result<BenchmarkOutcome> StagedEvaluator::benchmark(Run &run, const std::string &reference,
                                                    const std::string &candidate, const DecisionRule &rule) {
  BenchmarkRequest request;
  request.programs = &prepared_.shadow.benchmarks;
  request.filter = prepared_.manifest.benchmarkFilter;
  request.reference = reference;
  request.candidate = candidate;
  request.rule = rule;
  request.seed = std::hash<std::string>()(run.evaluation.candidate) ^ options_.seed;
  request.secondsLimit = run.left();
  Result<BenchmarkOutcome> outcome = measure(context(), request, prepared_.facts.benchmarks);
  if (outcome)
    run.evaluation.times.push_back({"benchmark", outcome->seconds});
  return outcome;
}

/// A benchmark that ended without a measurement.
Evaluation StagedEvaluator::undecided(Run &run, Stage stage, const BenchmarkOutcome &outcome) const {
  if (!outcome.rejection.empty())
    return finish(run, Verdict::Rejected, stage, outcome.rejection);
  return finish(run, Verdict::NotFaster, stage, outcome.undecided);
}

Result<Evaluation> StagedEvaluator::compare(Run &run, const BuiltCandidate &built, const Candidate *incumbent) {
  enter(Stage::Benchmark);
  if (incumbent && incumbent->id != run.evaluation.candidate) {
    Result<BuiltCandidate> best = buildAgain(*incumbent);
    if (!best)
      return std::unexpected(best.error());
    Result<BenchmarkOutcome> duel = benchmark(run, best->sharedObject, built.sharedObject, searchRule());
    if (!duel)
      return std::unexpected(duel.error());
    if (!duel->measurement)
      return undecided(run, Stage::Benchmark, *duel);
    run.evaluation.againstIncumbent = std::move(duel->measurement);
    const Measurement &against = *run.evaluation.againstIncumbent;
    if (against.comparison != Comparison::Faster)
      return finish(run, Verdict::NotFaster, Stage::Benchmark, "against the best so far: " + against.reason);
  }
  Result<BenchmarkOutcome> outcome = benchmark(run, prepared_.baselineLibrary, built.sharedObject, rule());
  if (!outcome)
    return std::unexpected(outcome.error());
  if (!outcome->measurement)
    return undecided(run, Stage::Benchmark, *outcome);
  run.evaluation.measurement = std::move(outcome->measurement);
  const Measurement &measurement = *run.evaluation.measurement;
  bool faster = measurement.comparison == Comparison::Faster;
  return finish(run, faster ? Verdict::Accepted : Verdict::NotFaster, Stage::Benchmark,
                faster ? built.diagnostics : measurement.reason);
}

Result<Evaluation> StagedEvaluator::evaluate(const Candidate &candidate, const Candidate *incumbent, double seconds) {
  Run run = begin(candidate, seconds);
  Result<std::optional<BuiltCandidate>> built = build(run, candidate);
  if (!built)
    return std::unexpected(built.error());
  if (!*built)
    return run.evaluation;
  if (std::optional<Evaluation> same = sameCode(run, (*built)->objectHash))
    return *same;
  Result<bool> passed = testsPass(run, **built);
  if (!passed)
    return std::unexpected(passed.error());
  if (!*passed) {
    remember(run.evaluation);
    return run.evaluation;
  }
  if (run.expired())
    return finish(run, Verdict::NotFaster, Stage::Test, "the time was up before the benchmark could start");
  Result<Evaluation> evaluation = compare(run, **built, incumbent);
  if (evaluation)
    remember(*evaluation);
  return evaluation;
}

Result<Evaluation> StagedEvaluator::confirm(const Candidate &candidate, int attempt) {
  Run run = begin(candidate, 0);
  Result<BuiltCandidate> built = buildAgain(candidate);
  if (!built)
    return std::unexpected(built.error());
  run.evaluation.objectHash = built->objectHash;
  Result<bool> passed = testsPass(run, *built);
  if (!passed)
    return std::unexpected(passed.error());
  if (!*passed)
    return finish(run, Verdict::Rejected, Stage::Confirm, "on a second run: " + run.evaluation.detail);

  enter(Stage::Confirm);
  DecisionRule strict = rule();
  strict.minimumPairs = kConfirmPairs;
  strict.bootstrapSamples *= std::max(1, attempt); // the smallest p-value must stay below the corrected level
  Result<BenchmarkOutcome> outcome = benchmark(run, prepared_.baselineLibrary, built->sharedObject, strict);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (!outcome->measurement)
    return undecided(run, Stage::Confirm, *outcome);
  run.evaluation.measurement = std::move(outcome->measurement);
  const Measurement &measurement = *run.evaluation.measurement;
  if (measurement.comparison != Comparison::Faster)
    return finish(run, Verdict::NotFaster, Stage::Confirm, "not confirmed by fresh runs: " + measurement.reason);
  confirmations_.push_back(fasterPValue(measurement, strict));
  if (!holm(confirmations_, kConfirmAlpha).back())
    return finish(run, Verdict::NotFaster, Stage::Confirm,
                  "not confirmed: among so many attempts the difference may be chance");
  return finish(run, Verdict::Accepted, Stage::Confirm);
}

std::string StagedEvaluator::costEstimate() const {
  const Calibration &calibration = prepared_.facts.calibration;
  double pair = calibration.benchmarkSeconds, others = calibration.compileSeconds + 3 * pair;
  std::string text =
      fmt::format("expected per candidate: check and compile {:.1f} s, {} tests {:.1f} s, benchmark "
                  "{:.1f} s if clearly slower or faster, up to {:.1f} s if close",
                  calibration.compileSeconds, calibration.testCount, calibration.testSeconds, 3 * pair, 20 * pair);
  if (calibration.testSeconds > others)
    text += "\nthe tests take most of it: TEST_FILTER in add_agentic_kernel() chooses those that call the kernel";
  return text;
}

} // namespace

namespace {

/// What killed processes left behind; a run lasts less than a day.
void removeOldWork(const std::string &workRoot) {
  std::error_code error;
  const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto &entry : fs::directory_iterator(workRoot, error))
    if (entry.is_directory(error) && entry.last_write_time(error) < limit)
      fs::remove_all(entry.path(), error);
}

} // namespace

Result<std::unique_ptr<Evaluator>> Evaluator::open(const EvaluatorOptions &options) {
  Result<Prepared> prepared = prepare(options);
  if (!prepared)
    return std::unexpected(prepared.error());
  removeOldWork(prepared->workRoot);
  Result<ScratchDirectory> scratch = ScratchDirectory::create(prepared->workRoot, prepared->spec.kernel + "-");
  if (!scratch)
    return std::unexpected(scratch.error());
  if (options.warning)
    for (const std::string &warning : prepared->warnings)
      options.warning(warning);
  return std::make_unique<StagedEvaluator>(options, std::move(*prepared), std::move(*scratch));
}

} // namespace agentic
