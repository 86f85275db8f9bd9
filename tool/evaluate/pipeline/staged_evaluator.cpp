#include "tool/evaluate/pipeline/staged_evaluator.h"

#include "tool/base/clock.h"
#include "tool/base/hash.h"
#include "tool/base/time_limit.h"
#include "tool/evaluate/baseline/differential_facts.h"
#include "tool/evaluate/differential/tried_values.h"
#include "tool/evaluate/insight/candidate_insight.h"
#include "tool/evaluate/insight/code_traits.h"
#include "tool/evaluate/pipeline/comparison_in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <iterator>

namespace agentic {
namespace {

constexpr std::size_t kDetailCap = 4096, kFeedbackLimit = 2048;
constexpr int kRooflineTries = 3; // of at most 3 s each

bool isSuspicious(const Measurement &claim) {
  return std::ranges::any_of(claim.benchmarks, [](const BenchmarkMeasurement &benchmark) {
    return benchmark.speedup.ratio > kSuspiciousSpeedup;
  });
}

} // namespace

StagedEvaluator::Run StagedEvaluator::begin(const Candidate &candidate) const {
  Run run;
  run.start = steadySeconds();
  run.evaluation.kernel = prepared_.spec.kernel;
  run.evaluation.candidate = candidate.id;
  return run;
}

/// For the variant's header: what it does that only its original permits, and what others remark.
void StagedEvaluator::noteForReview(Run &run, const BuiltCandidate &built) const {
  std::vector<std::string> &review = run.evaluation.review;
  for (const Permission &permission : built.permissions)
    review.push_back("does with addresses what the original does at " + describe(permission));
  if (!options_.remarks)
    return;
  const std::vector<std::string> remarks = options_.remarks(prepared_.manifest, prepared_.spec, built.text);
  review.insert(review.end(), remarks.begin(), remarks.end());
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
  const bool isKnown = evaluation.verdict == Verdict::Rejected || evaluation.measurement ||
                       evaluation.againstIncumbent || !prepared_.isTimed;
  if (isKnown && !evaluation.objectHash.empty())
    byCode_.try_emplace(evaluation.objectHash, evaluation);
}

/// Returns the verdict of identical object code, if there was one.
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
  run.evaluation.insight = earlier->second.insight;
  return finish(run, earlier->second.verdict, earlier->second.stage,
                "same code as " + earlier->second.candidate + ". " + earlier->second.detail);
}

/// Runs check, compile and audit. nullopt = rejected, and the evaluation says why.
Result<std::optional<BuiltCandidate>> StagedEvaluator::build(Run &run, const Candidate &candidate) {
  enter(Stage::Check);
  std::string directory = (scratch_.path() / sha256(candidate.text).substr(0, 16)).string();
  TRY(createDirectories(directory));
  const BuildContext context = prepared_.buildContext(options_);
  BuildOutcome outcome = TRY(buildCandidate(context, candidate, directory));
  run.evaluation.times.insert(run.evaluation.times.end(), outcome.times.begin(), outcome.times.end());
  run.evaluation.notes = std::move(outcome.notes);
  if (!outcome.built) {
    run.evaluation.findings = std::move(outcome.refusal.findings);
    finish(run, Verdict::Rejected, outcome.refusal.stage, std::move(outcome.refusal.detail));
    return std::optional<BuiltCandidate>();
  }
  run.evaluation.objectHash = outcome.built->objectHash;
  run.evaluation.codeBytes = outcome.built->codeBytes;
  built_[candidate.id] = *outcome.built;
  return std::move(outcome.built);
}

/// Builds a candidate that passed before, perhaps in another process.
Result<BuiltCandidate> StagedEvaluator::buildAgain(const Candidate &candidate) {
  auto found = built_.find(candidate.id);
  if (found != built_.end())
    return found->second;
  Run run = begin(candidate);
  std::optional<BuiltCandidate> built = TRY(build(run, candidate));
  if (!built)
    return userError("candidate " + candidate.id + ", which was accepted before, is refused now at stage " +
                         stageName(run.evaluation.stage),
                     "start a new run: compiler, flags or this tool changed");
  return std::move(*built);
}

Result<Evaluation> StagedEvaluator::inspect(const Candidate &candidate) {
  Run run = begin(candidate);
  std::optional<BuiltCandidate> built = TRY(build(run, candidate));
  if (!built)
    return run.evaluation;
  std::string problem = TRY(genericProblem(*built));
  if (!problem.empty())
    return finish(run, Verdict::Rejected, Stage::Compile, problem);
  return finish(run, Verdict::Accepted, Stage::Audit);
}

Result<std::string> StagedEvaluator::genericProblem(const BuiltCandidate &built) {
  if (isGeneric_.contains(built.unitFile))
    return std::string();
  Result<std::string> problem = genericBuildProblem(prepared_.buildContext(options_), built, options_.cancelled);
  if (problem && problem->empty()) // a failure may come from lack of time
    isGeneric_.insert(built.unitFile);
  return problem;
}

/// Runs the tests and, at the same time, the compile without the project's own ISA flags.
Result<bool> StagedEvaluator::testsPass(Run &run, const BuiltCandidate &built) {
  enter(Stage::Test);
  std::future<Result<std::string>> generic = std::async(std::launch::async, [&] { return genericProblem(built); });
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
  run.evaluation.times.push_back({"compile-plain", steadySeconds() - start - run.evaluation.times.back().seconds});
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

Result<bool> StagedEvaluator::agrees(Run &run, const BuiltCandidate &built, const Expectation &expectation) {
  if (!hasDifferential(prepared_, expectation))
    return true; // nothing can be compared: reported at the start of the run and in the variant's header
  enter(Stage::Differential);
  DifferentialOutcome outcome =
      TRY(judgeDifferential(prepared_, options_, expectation, built.sharedObject, scratch_.path().string()));
  run.evaluation.times.push_back({"differential", outcome.seconds});
  if (!outcome.passed)
    finish(run, Verdict::Rejected, Stage::Differential, outcome.detail);
  return outcome.passed ? agreesUncontracted(run, built, expectation) : Result<bool>(false);
}

Result<BenchmarkOutcome> StagedEvaluator::benchmark(Run &run, const Side &reference, const Side &candidate,
                                                    const DecisionRule &rule) {
  BenchmarkRequest request;
  request.programs = &prepared_.shadow.benchmarks;
  request.filter = prepared_.manifest.benchmarkFilter;
  request.reference = reference.sharedObject;
  request.candidate = candidate.sharedObject;
  if (!reference.code.empty() && !candidate.code.empty())
    request.question = reference.code + " " + candidate.code;
  request.rule = rule;
  request.seed = std::hash<std::string>()(run.evaluation.candidate) ^ options_.seed;
  const Quiet quiet(*this, options_.measuresAlone && !hosts_);
  Result<BenchmarkOutcome> outcome = measured(context(), request);
  if (!outcome)
    return outcome;
  run.evaluation.times.push_back({"benchmark", outcome->seconds});
  run.evaluation.host = outcome->host;
  return outcome;
}

/// Empty, or why nothing can be that fast here. Costs up to 3 s at the first such claim on a machine.
Result<std::string> StagedEvaluator::beyondThisMachine(const Measurement &claim, const Expectation &expectation) {
  if (!isSuspicious(claim) || options_.rooflineFile.empty() || expectation.benchmarkCalls.empty())
    return std::string();
  const Quiet quiet(*this, !hosts_); // else the machine looks slower than it is
  std::string problem = beyondMachine(claim, expectation.benchmarkCalls, TRY(machine(false)));
  for (int i = 0; i < kRooflineTries && !problem.empty(); ++i) // the first may be of a busy moment
    problem = beyondMachine(claim, expectation.benchmarkCalls, TRY(machine(true)));
  return problem;
}

/// Evaluation of a benchmark that ended without a measurement.
Evaluation StagedEvaluator::undecided(Run &run, Stage stage, const BenchmarkOutcome &outcome) const {
  if (!outcome.rejection.empty())
    return finish(run, Verdict::Rejected, stage, outcome.rejection);
  return finish(run, Verdict::NotFaster, stage, outcome.undecided);
}

Evaluation StagedEvaluator::finishAgainst(Run &run, BenchmarkOutcome outcome, std::string slower) const {
  if (!outcome.measurement)
    return undecided(run, Stage::Benchmark, outcome);
  run.evaluation.againstIncumbent = std::move(outcome.measurement);
  const Measurement &against = *run.evaluation.againstIncumbent;
  if (against.comparison == Comparison::Faster)
    return finish(run, Verdict::Accepted, Stage::Benchmark);
  return finish(run, Verdict::NotFaster, Stage::Benchmark, slower.empty() ? against.reason : std::move(slower));
}

Result<Evaluation> StagedEvaluator::compare(Run &run, const BuiltCandidate &built, Measured measured) {
  if (measured.duel) {
    if (!measured.duel->measurement)
      return undecided(run, Stage::Benchmark, *measured.duel);
    run.evaluation.againstIncumbent = std::move(measured.duel->measurement);
    const Measurement &against = *run.evaluation.againstIncumbent;
    if (against.comparison != Comparison::Faster)
      return finish(run, Verdict::NotFaster, Stage::Benchmark, "against the best so far: " + against.reason);
  }
  BenchmarkOutcome &outcome = *measured.claim;
  if (!outcome.measurement)
    return undecided(run, Stage::Benchmark, outcome);
  run.evaluation.measurement = std::move(outcome.measurement);
  const Measurement &measurement = *run.evaluation.measurement;
  if (std::string problem = TRY(beyondThisMachine(measurement, prepared_.expectation)); !problem.empty())
    return finish(run, Verdict::Rejected, Stage::Benchmark, std::move(problem));
  const bool faster = measurement.comparison == Comparison::Faster;
  return finish(run, faster ? Verdict::Accepted : Verdict::NotFaster, Stage::Benchmark,
                faster ? built.diagnostics : measurement.reason);
}

Result<Evaluation> StagedEvaluator::judgeMeasured(Run &run, const BuiltCandidate &built, Evaluation evaluation) {
  const bool isAccepted = evaluation.verdict == Verdict::Accepted;
  if (evaluation.verdict == Verdict::Rejected || (!isAccepted && !options_.judgesSlow))
    return evaluation;
  std::future<Result<DifferentialOutcome>> audit;
  if (options_.judgesSlow || isSuspicious(*evaluation.measurement)) { // beside the compiler, which sanitizers wait for
    const std::string directory = scratch_.path() / "audited";
    TRY(createDirectories(directory));
    audit = std::async(std::launch::async, [&, directory] {
      return auditTimedCalls(prepared_, options_, prepared_.expectation, built.sharedObject, directory);
    });
  }
  const bool survives = TRY(survivesQuickCalls(run, built));
  if (audit.valid()) {
    DifferentialOutcome audited = TRY(audit.get());
    run.evaluation.times.push_back({"audit-of-calls", audited.seconds});
    if (survives && !audited.passed)
      return finish(run, Verdict::Rejected, Stage::Differential, std::move(audited.detail));
  }
  if (survives && isAccepted && !TRY(otherValuesKeepUp(run, built, Stage::Benchmark)))
    return run.evaluation;
  if (survives && isAccepted && options_.judgesSlow) // in a search, the confirmation says so of its larger plan
    std::ranges::copy_if(prepared_.expectation.remarks, std::back_inserter(run.evaluation.review), isTriedValues);
  return survives ? finish(run, evaluation.verdict, evaluation.stage) : run.evaluation;
}

/// The limit includes one benchmark more, so that a measurement that its last pair decides counts. Time alone is no
/// verdict: a compile that was cut off did not fail.
Result<Evaluation> StagedEvaluator::evaluate(const Candidate &candidate, const Candidate *incumbent, double seconds) {
  return within(seconds <= 0 ? 0 : seconds + prepared_.facts.calibration.benchmarkSeconds,
                [&] { return runStages(candidate, incumbent); });
}

Result<Evaluation> StagedEvaluator::within(double seconds, const std::function<Result<Evaluation>()> &judge) {
  if (seconds <= 0)
    return judge();
  const std::atomic<bool> *const outer = options_.cancelled;
  const TimeLimit limit(steadySeconds() + seconds, outer);
  options_.cancelled = limit.flag();
  Result<Evaluation> evaluation = judge();
  options_.cancelled = outer;
  return evaluation;
}

Result<Evaluation> StagedEvaluator::runStages(const Candidate &candidate, const Candidate *incumbent) {
  Early early = TRY(judgedEarly(candidate));
  Run &run = early.run;
  const std::optional<BuiltCandidate> &built = early.built;
  if (!built)
    return run.evaluation;
  if (std::optional<Evaluation> same = sameCode(run, built->objectHash)) // perhaps of one that came between
    return *same;
  if (early.isJudged) {
    remember(run.evaluation);
    return run.evaluation;
  }
  if (!prepared_.isTimed) {
    noteForReview(run, *built);
    finish(run, Verdict::Accepted, Stage::Test, "its tests pass under an emulator; nothing was measured");
    remember(run.evaluation);
    return run.evaluation;
  }
  const std::string rival = incumbent && incumbent->id != candidate.id ? incumbent->id : "";
  if (!early.measured || early.measured->incumbent != rival)
    early.measured = TRY(measuredAgainst(incumbent, run, *built));
  Result<Evaluation> evaluation = compare(run, *built, std::move(*early.measured));
  if (evaluation)
    evaluation = judgeMeasured(run, *built, std::move(*evaluation));
  if (evaluation) {
    addFeedback(*evaluation, candidate);
    addTraits(*evaluation, *built);
    remember(*evaluation);
  }
  return evaluation;
}

Result<Insight> StagedEvaluator::insight(const Candidate &candidate, const InsightRequest &request) {
  InsightRequest wanted = request;
  if (!prepared_.isTimed || prepared_.programHosts) { // an emulator's times tell nothing, and counters are this CPU's
    if (wanted.parts.empty())
      wanted.parts = {"remarks", "loop", "mix", "mca"};
    wanted.parts.erase("counters");
    wanted.parts.erase("roofline");
    wanted.parts.insert("none"); // an empty set means all
  }
  const BuildContext build = prepared_.buildContext(options_);
  const RunContext run = context();
  const Quiet quiet(*this, true); // it counts and measures
  return insightOf({build, run, prepared_.shadow.benchmarks, prepared_.facts.benchmarks,
                    prepared_.manifest.benchmarkFilter, prepared_.expectation.benchmarkCalls},
                   candidate, wanted);
}

void StagedEvaluator::addFeedback(Evaluation &evaluation, const Candidate &candidate) {
  if (!options_.feedback || (!evaluation.measurement && !evaluation.againstIncumbent))
    return;
  const double start = steadySeconds();
  auto made = insight(candidate, *options_.feedback);
  evaluation.times.push_back({"insight", steadySeconds() - start});
  evaluation.seconds += evaluation.times.back().seconds;
  evaluation.insight = made ? insightText(*made, kFeedbackLimit) : "";
}

void StagedEvaluator::addTraits(Evaluation &evaluation, const BuiltCandidate &built) const {
  if (options_.describesCode && (evaluation.measurement || evaluation.againstIncumbent))
    evaluation.traits = codeTraitsOf(built.objectFile, built.unit.symbol).value_or(std::vector<std::string>());
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

} // namespace agentic
