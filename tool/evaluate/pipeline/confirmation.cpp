// The stages confirm and sanitize, which a winner must pass before it is written back.
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"
#include "tool/build/code_hash.h"
#include "tool/evaluate/baseline/differential_facts.h"
#include "tool/evaluate/benchmark/claim.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/candidate/tidy.h"
#include "tool/evaluate/differential/shape_timing.h"
#include "tool/evaluate/instruments/coverage.h"
#include "tool/evaluate/pipeline/comparison_in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

namespace agentic {
namespace {

constexpr int kConfirmPairs = 12, kLayoutPairs = 8;
constexpr double kConfirmAlpha = 0.005; // one side of a 99 % interval
constexpr double kExaminedShare = 0.02; // share of a run's budget for the baseline's time in one run of the full plan

/// Returns whether a text itself asks for a * b + c with one rounding: -ffp-contract=off does not undo that.
bool fusesExplicitly(std::string_view text) {
  for (std::size_t at = text.find("fma"); at != std::string_view::npos; at = text.find("fma", at + 1))
    if (!text.substr(at).starts_with("fmax"))
      return true;
  constexpr auto kNames = std::to_array<std::string_view>({"fmsub", "fnm", "fmls", "vmla", "vmls"});
  return std::ranges::any_of(kNames, [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

} // namespace

Error StagedEvaluator::onlyEmulated(const std::string &what) const {
  return {ErrorKind::User,
          fmt::format("level {} of kernel '{}' runs here under '{}' alone, and there are no {} there",
                      prepared_.level->name, prepared_.spec.kernel, prepared_.manifest.runner.front(), what),
          "use a machine that has " + std::string(prepared_.level->name)};
}

Result<const Expectation *> StagedEvaluator::fullExpectation() {
  if (!full_) {
    const double start = steadySeconds();
    full_ = TRY(learnDifferential(
        prepared_, options_, {.part = DifferentialPart::Full, .secondsLimit = kExaminedShare * options_.secondsLimit},
        scratch_.path() / "differential", scratch_.path().string()));
    prepared_.times.push_back({"full-expectation", steadySeconds() - start});
  }
  return &*full_;
}

Result<bool> StagedEvaluator::agreesUncontracted(Run &run, const BuiltCandidate &built,
                                                 const Expectation &expectation) {
  if (expectation.uncontractedFile.empty() || fusesExplicitly(built.text))
    return true;
  const double start = steadySeconds();
  const BuildContext build = prepared_.buildContext(options_);
  InstrumentedBuild plain =
      TRY(buildInstrumented(build, built.unit, {"-ffp-contract=off"}, scratch_.path() / "uncontracted"));
  if (!plain.ok)
    return true; // the flag is what the baseline was compiled with: this compiler has it, but not for this text
  ReplayContext context = TRY(replayContext(prepared_, options_, scratch_.path().string()));
  DifferentialOutcome outcome = TRY(judge(context, withoutContraction(expectation), plain.sharedObject));
  run.evaluation.times.push_back({"differential-uncontracted", steadySeconds() - start});
  if (!outcome.passed)
    finish(run, Verdict::Rejected, Stage::Differential,
           "compiled with -ffp-contract=off, as the baseline for this comparison: " + outcome.detail +
               "; AGENTIC_TOLERANCE would permit other roundings");
  return outcome.passed;
}

Result<bool> StagedEvaluator::agreesInPlace(Run &run, const BuiltCandidate &built, const Expectation &expectation) {
  DifferentialOutcome outcome =
      TRY(judgeInPlace(prepared_, options_, expectation, built.sharedObject, scratch_.path().string()));
  run.evaluation.times.push_back({"differential-in-place", outcome.seconds});
  if (!outcome.remark.empty())
    run.evaluation.review.push_back(outcome.remark);
  if (!outcome.passed)
    finish(run, Verdict::Rejected, Stage::Differential, outcome.detail);
  return outcome.passed;
}

Result<Evaluation> StagedEvaluator::examine(const Candidate &candidate) {
  if (!prepared_.isTimed)
    return std::unexpected(onlyEmulated("replayed calls and sanitizers"));
  Run run = begin(candidate);
  BuiltCandidate built = TRY(buildAgain(candidate));
  run.evaluation.objectHash = built.objectHash;
  noteForReview(run, built);
  const Expectation *expectation = TRY(fullExpectation());
  Result<bool> passed = agrees(run, built, *expectation);
  if (passed && *passed) {
    agreed_.insert(built.objectHash);
    passed = agreesInPlace(run, built, *expectation);
  }
  if (passed && *passed)
    passed = survivesInstruments(run, built);
  if (!passed)
    return std::unexpected(passed.error());
  return *passed ? finish(run, Verdict::Accepted, Stage::Sanitize) : run.evaluation;
}

/// Fresh pairs in which every declared output is overwritten before each call, on both sides: nothing is left from an
/// earlier call.
Result<BenchmarkOutcome> StagedEvaluator::freshPairs(Run &run, const std::string &library, const DecisionRule &rule) {
  std::vector<TestProgram> programs = prepared_.shadow.benchmarks;
  const std::string clobber = fmt::format("AGENTIC_KERNEL_CLOBBER={}", std::random_device()());
  for (TestProgram &program : programs)
    program.environment.push_back(clobber);
  BenchmarkRequest request;
  request.programs = &programs;
  request.filter = prepared_.manifest.benchmarkFilter;
  request.reference = prepared_.baselineLibrary;
  request.candidate = library;
  request.rule = rule;
  request.seed = std::random_device()();
  Result<BenchmarkOutcome> outcome = measured(context(), request);
  if (!outcome)
    return outcome;
  run.evaluation.times.push_back({"confirm", outcome->seconds});
  run.evaluation.host = outcome->host;
  return outcome;
}

/// Checks the further conditions for a claim of this size. False: the evaluation says why it fails.
Result<bool> StagedEvaluator::claimStands(Run &run, const BuiltCandidate &built, const DecisionRule &strict) {
  const ClaimNeeds needs = claimNeeds(*run.evaluation.measurement);
  std::vector<FurtherConfirmation> further;
  const auto confirmAgain = [&](std::string what, const std::string &library, int pairs) -> Result<void> {
    DecisionRule rule = strict;
    rule.minimumPairs = pairs;
    BenchmarkOutcome outcome = TRY(freshPairs(run, library, rule));
    further.push_back({std::move(what), std::move(outcome.measurement), outcome.rejection + outcome.undecided});
    return {};
  };
  if (needs.otherLayouts)
    for (const std::size_t padding : kOtherLayouts) {
      const std::string library = fmt::format("{}/padded-{}.so", scratch_.path().string(), padding);
      const BuildContext build = prepared_.buildContext(options_);
      CompileOutcome linked = TRY(linkCandidateObject(build, built.objectFile, built.unit.symbol, library, padding));
      if (!linked.ok)
        return bugError("the shared object does not link with padding: " + linked.diagnostics);
      if (Result<void> done = confirmAgain(fmt::format("with {} bytes in front of it", padding), library, kLayoutPairs);
          !done)
        return std::unexpected(done.error());
    }
  if (needs.secondConfirmation)
    TRY(confirmAgain("a second time", built.sharedObject, kConfirmPairs));
  if (std::string problem = claimProblem(further); !problem.empty()) {
    finish(run, Verdict::NotFaster, Stage::Confirm, std::move(problem));
    return false;
  }
  run.evaluation.measurement = weakest(*run.evaluation.measurement, further);
  for (std::string &note : reviewNotes(needs))
    run.evaluation.review.push_back(std::move(note));
  return true;
}

/// Other shapes than the benchmarks' must not become slower.
Result<bool> StagedEvaluator::otherShapesKeepUp(Run &run, const BuiltCandidate &built) {
  if (prepared_.expectation.steps.empty())
    return true;
  ReplayContext replay = TRY(replayContext(prepared_, options_, scratch_.path().string()));
  const double start = steadySeconds();
  ShapeTimings timings =
      TRY(timeOtherShapes(prepared_, replay, built.sharedObject, rule(), scratch_.path() / "shapes"));
  run.evaluation.times.push_back({"other-shapes", steadySeconds() - start});
  if (timings.slower.empty())
    return true;
  double worst = 1;
  for (const Speedup &speedup : timings.slower)
    worst = std::min(worst, speedup.ratio);
  finish(run, Verdict::NotFaster, Stage::Confirm,
         fmt::format("slower than the baseline at {} of {} shapes that no benchmark measures (down to {:.2f}x): leave "
                     "them to the baseline's own way",
                     timings.slower.size(), timings.shapes, worst));
  return false;
}

/// A large gain must not live on the values of the benchmarks' arguments.
Result<bool> StagedEvaluator::otherValuesKeepUp(Run &run, const BuiltCandidate &built, Stage stage) {
  constexpr double kLargeGain = 2;
  if (prepared_.expectation.steps.empty() || run.evaluation.measurement->speedup.ratio < kLargeGain)
    return true;
  const Quiet quiet(*this, !hosts_);
  ReplayContext replay = TRY(replayContext(prepared_, options_, scratch_.path().string()));
  const double start = steadySeconds();
  const ValueTimings timings = TRY(timeOtherValues(prepared_, replay, built.sharedObject, scratch_.path() / "shapes"));
  run.evaluation.times.push_back({"other-values", steadySeconds() - start});
  if (!timings.hasOwnAnswers())
    return true;
  finish(
      run, Verdict::NotFaster, stage,
      fmt::format("{:.3g}x with the values of a benchmark's call, and {:.3g}x where one of them differs a little: the "
                  "claim would hold for those values alone",
                  timings.own, timings.others));
  return false;
}

Result<Evaluation> StagedEvaluator::confirm(const Candidate &candidate, int attempt) {
  if (!prepared_.isTimed)
    return std::unexpected(onlyEmulated("timings"));
  Result<Evaluation> examined = examine(candidate);
  if (!examined || examined->verdict == Verdict::Rejected)
    return examined;
  Run run = begin(candidate);
  run.evaluation.review = examined->review;
  run.evaluation.times = examined->times;
  BuiltCandidate built = TRY(buildAgain(candidate));
  run.evaluation.objectHash = built.objectHash;
  const std::vector<std::string> tidy = TRY(tidyNotes(prepared_.buildContext(options_), built));
  run.evaluation.review.insert(run.evaluation.review.end(), tidy.begin(), tidy.end());
  bool passed = TRY(testsPass(run, built));
  if (!passed)
    return finish(run, Verdict::Rejected, Stage::Confirm, "on a second run: " + run.evaluation.detail);

  enter(Stage::Confirm);
  DecisionRule strict = rule();
  strict.minimumPairs = kConfirmPairs;
  strict.isClaim = true;
  strict.bootstrapSamples *= std::max(1, attempt); // the smallest p-value must stay below the corrected level
  BenchmarkOutcome outcome = TRY(freshPairs(run, built.sharedObject, strict));
  if (!outcome.measurement)
    return undecided(run, Stage::Confirm, outcome);
  run.evaluation.measurement = std::move(outcome.measurement);
  const Measurement &measurement = *run.evaluation.measurement;
  if (measurement.comparison != Comparison::Faster)
    return finish(run, Verdict::NotFaster, Stage::Confirm, "not confirmed by fresh runs: " + measurement.reason);
  const Expectation *expectation = TRY(fullExpectation());
  if (std::string problem = TRY(beyondThisMachine(measurement, *expectation)); !problem.empty())
    return finish(run, Verdict::Rejected, Stage::Confirm, std::move(problem));
  confirmations_.resize(std::max(confirmations_.size(), std::size_t(std::max(1, attempt)) - 1), 1.0);
  confirmations_.push_back(fasterPValue(measurement, strict));
  if (!holm(confirmations_, kConfirmAlpha).back())
    return finish(run, Verdict::NotFaster, Stage::Confirm,
                  "not confirmed: among so many attempts the difference may be chance");
  if (std::string problem = belowLimit(prepared_.spec.policy.limits, measurement.speedup); !problem.empty())
    return finish(run, Verdict::NotFaster, Stage::Confirm, std::move(problem));
  Result<bool> stands = claimStands(run, built, strict);
  if (stands && *stands)
    stands = otherShapesKeepUp(run, built);
  if (stands && *stands)
    stands = otherValuesKeepUp(run, built, Stage::Confirm);
  if (!stands)
    return std::unexpected(stands.error());
  return *stands ? finish(run, Verdict::Accepted, Stage::Confirm) : run.evaluation;
}

Result<std::string> StagedEvaluator::replayShipped(const std::string &file, const CompileCommand &command) {
  const Expectation *expectation = TRY(fullExpectation());
  if (!hasDifferential(prepared_, *expectation))
    return std::string();
  const std::string directory = scratch_.path() / "shipped";
  TRY(createDirectories(directory));
  const BuildContext build = prepared_.buildContext(options_);
  CompileRequest compile = candidateCompile(build, file, directory + "/unit.o", options_.cancelled);
  compile.command = command;
  CompileOutcome compiled = TRY(compileUnit(compile));
  if (!compiled.ok)
    return "it does not compile as a shared object: " + compiled.diagnostics;
  if (const Result<ElfFile> object = readElf(compile.objectFile); object && agreed_.contains(codeHash(*object)))
    return std::string(); // the very code that was replayed
  enter(Stage::Differential);
  const std::string library = directory + "/candidate.so";
  const std::string symbol = variantSymbol(prepared_.spec.kernel, *prepared_.level, prepared_.compiler.family);
  CompileOutcome linked = TRY(linkCandidateObject(build, compile.objectFile, symbol, library));
  if (!linked.ok)
    return "it does not link as a shared object: " + linked.diagnostics;
  Result<DifferentialOutcome> outcome =
      judgeDifferential(prepared_, options_, *expectation, library, scratch_.path().string());
  return outcome ? Result<std::string>(outcome->detail) : std::unexpected(outcome.error());
}

} // namespace agentic
