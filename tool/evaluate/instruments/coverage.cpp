#include "tool/evaluate/instruments/coverage.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/evaluate/benchmark/benchmark_process.h"
#include "tool/evaluate/differential/recorded_runs.h"
#include "tool/source/coverage/coverage.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr double kSlower = 10, kLeastSeconds = 30;
constexpr std::size_t kFileCap = 16u << 20;

/// Returns the first message of the compiler, without its place.
std::string errorOf(const std::string &diagnostics) {
  constexpr std::string_view kMark = "error: ";
  const std::size_t at = diagnostics.find(kMark);
  return at == std::string::npos ? std::string() : ": " + firstLine(diagnostics.substr(at + kMark.size()));
}

bool isInside(const CoveragePlace &inner, const CoveragePlace &outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end && inner.end - inner.begin < outer.end - outer.begin;
}

class Covering {
public:
  Covering(const InstrumentedContext &context, InstrumentedUnit unit)
      : context_(context), unit_(std::move(unit)), ran_(unit_.places.size()) {}

  Result<CoverageOutcome> run(const CandidateUnit &candidate) {
    const double start = steadySeconds();
    outcome_.remarks = unit_.remarks;
    outcome_.unmeasured = join(unit_.hidden, "\n");
    CandidateUnit instrumented = candidate;
    instrumented.text = unit_.text;
    InstrumentedBuild build =
        TRY(buildInstrumented(*context_.build, instrumented, {}, context_.directory + "/coverage"));
    if (!build.ok) {
      outcome_.unmeasured = "it does not compile when its places are counted" + errorOf(build.diagnostics);
      return std::move(outcome_);
    }
    TRY(runAll(build.sharedObject));
    conclude();
    outcome_.seconds = steadySeconds() - start;
    return std::move(outcome_);
  }

private:
  Result<void> runAll(const std::string &sharedObject) {
    ScratchDirectory folder = TRY(ScratchDirectory::create(context_.directory, "counts-"));
    const std::string file = folder.path() / "counts";
    TRY(writeFileAtomic(file, emptyCoverage(unit_.places.size())));
    RunAdditions added;
    added.environment = {std::string(kCoverageVariable) + "=" + file};
    added.writable = {folder.path()};
    if (context_.hasTests())
      TRY(runTestPrograms(added, sharedObject));
    if (context_.hasCalls())
      TRY(runCalls(added, sharedObject));
    if (context_.benchmarks)
      TRY(runBenchmarks(added, sharedObject));
    outcome_.isKnown = context_.hasTests() || context_.hasCalls();
    if (!outcome_.isKnown)
      outcome_.remarks.push_back("coverage is not known: there are no tests and no calls to run");
    else if (!addCoverage(readUntrusted(file, kFileCap).value_or(std::string()), ran_))
      outcome_.remarks.push_back("the file with the places that ran was damaged: none counts"); // the candidate did it
    return {};
  }

  Result<void> runTestPrograms(const RunAdditions &added, const std::string &sharedObject) {
    TestFacts facts = *context_.tests;
    for (TestProgramFacts &program : facts)
      program.seconds *= kSlower;
    TestRequest request;
    request.programs = context_.programs;
    request.filter = context_.filter;
    request.sharedObject = sharedObject;
    request.added = added;
    TestOutcome tested = TRY(runTests(context_.run, request, facts));
    if (!tested.passed)
      outcome_.unmeasured = "the tests fail when its places are counted: " + firstLine(tested.detail);
    return {};
  }

  /// The results of the calls were judged before.
  Result<void> runCalls(const RunAdditions &added, const std::string &sharedObject) {
    ReplayContext replaying = context_.replay;
    replaying.added = added;
    const Expectation &expectation = *context_.expectation;
    ReplayOutcome outcome = TRY(replay(replaying, expectation.planFile, expectation.steps.size(), sharedObject,
                                       std::max(kLeastSeconds, kSlower * kSlower * expectation.seconds)));
    if (!outcome.isComplete)
      outcome_.remarks.push_back(fmt::format("the instrumented candidate did {} of {} planned calls: {}",
                                             outcome.steps.size(), expectation.steps.size(), outcome.message));
    return {};
  }

  /// The first calls of each were compared where they are made (differential/in_process.h).
  Result<void> runBenchmarks(const RunAdditions &added, const std::string &sharedObject) {
    for (const RecordedBenchmark &benchmark : recordedBenchmarks(*context_.benchmarkFacts)) {
      const BenchmarkProgramFacts &facts = (*context_.benchmarkFacts)[benchmark.program];
      ProgramRequest request = shortRun((*context_.benchmarks)[benchmark.program], facts, benchmark.name);
      request.sharedObject = sharedObject;
      request.added = added;
      request.timeoutSeconds = std::max(kLeastSeconds, kSlower * facts.seconds);
      TRY(runProgram(context_.run, request));
    }
    return {};
  }

  void conclude() {
    std::vector<const CoveragePlace *> missed;
    for (std::size_t i = 0; i < ran_.size(); ++i)
      if (!ran_[i])
        missed.push_back(&unit_.places[i]);
    outcome_.total = ran_.size();
    outcome_.covered = ran_.size() - missed.size();
    if (!outcome_.isKnown)
      return;
    for (const CoveragePlace *place : missed)
      if (std::ranges::none_of(missed, [&](const CoveragePlace *outer) { return isInside(*place, *outer); }))
        outcome_.uncovered.push_back({place->line, place->column, place->what});
    std::ranges::sort(outcome_.uncovered, {}, [](const UncoveredPlace &p) { return std::pair(p.line, p.column); });
  }

  const InstrumentedContext &context_;
  InstrumentedUnit unit_;
  std::vector<bool> ran_;
  CoverageOutcome outcome_;
};

Result<CoverageOutcome> cover(const InstrumentedContext &context, const CandidateUnit &candidate) {
  InstrumentedUnit unit = TRY(instrumentCoverage(*context.build->spec, candidate));
  return Covering(context, std::move(unit)).run(candidate);
}

} // namespace

std::string UncoveredPlace::text() const {
  return fmt::format("{}:{}: {}", line, column, what);
}

Result<CoverageOutcome> coverBaseline(const InstrumentedContext &context) {
  const KernelSpec &spec = *context.build->spec;
  return cover(context, buildCandidateUnit({spec, *context.build->level, context.build->compiler->family, "baseline"},
                                           baselineCandidate(spec)));
}

Result<CoverageOutcome> coverCandidate(const InstrumentedContext &context, const BuiltCandidate &candidate) {
  Result<CoverageOutcome> outcome = cover(context, candidate.unit);
  if (!outcome || outcome->unmeasured.empty())
    return outcome;
  // The unchanged kernel shows whether the project is to blame.
  const CoverageOutcome unchanged = TRY(coverBaseline(context));
  if (!unchanged.unmeasured.empty()) {
    outcome->remarks.push_back("coverage is not known in full, not even of the unchanged kernel: " +
                               unchanged.unmeasured);
    outcome->unmeasured.clear();
  }
  outcome->seconds += unchanged.seconds;
  return outcome;
}

} // namespace agentic
