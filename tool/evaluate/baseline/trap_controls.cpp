#include "tool/evaluate/baseline/trap_controls.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/assertions.h"
#include "tool/evaluate/benchmark/benchmark_process.h"

#include <algorithm>

namespace agentic {
namespace {

std::string programNames(const std::vector<TestProgram> &programs) {
  std::vector<std::string> names;
  for (const TestProgram &program : programs)
    names.push_back("'" + program.target + "'");
  return join(names, ", ");
}

/// The names of the programs that are no GoogleTest and cannot fail by assert(): the build defines NDEBUG, and they
/// hold no assertion. Empty if there are none.
std::vector<std::string> programsWithoutAssert(const TrapRequest &request) {
  std::vector<std::string> names;
  if (!definesNdebug(request.shadow->command))
    return names;
  for (std::size_t i = 0; i < request.tests->size(); ++i)
    if (const TestProgram &program = request.shadow->tests[i];
        !(*request.tests)[i].isGoogleTest && !holdsAssertions(program.file))
      names.push_back(request.shadow->manifest.tests[i].file.empty() ? fs::path(program.file).filename().string()
                                                                     : program.target);
  return names;
}

/// The error of tests that cannot fail. Of a plain program in a Release build that is most often no fault of the test.
std::unexpected<Error> tooWeak(const TrapRequest &request, const std::string &message, const std::string &next) {
  const std::vector<std::string> names = programsWithoutAssert(request);
  if (names.empty())
    return userError(message, next);
  return userError(message + ". This build defines NDEBUG, which takes every assert() out of " + join(names, ", ") +
                       ", with the calls in it",
                   "let the test keep its assertions: target_compile_options(" + names.front() +
                       " PRIVATE -UNDEBUG); or, if it does not use assert(): " + next);
}

/// nullopt if no such candidate can be written: the return type cannot be made from nothing.
Result<std::optional<std::string>> buildTrap(const BuildContext &build, const std::string &parent,
                                             const std::string &name, const std::string &body, bool mayFail) {
  const std::string directory = parent + "/trap-" + name;
  TRY(createDirectories(directory));
  Candidate candidate = makeCandidate(build.spec->signature + body + "\n", "trap control: " + name);
  BuildOutcome outcome = TRY(buildTrusted(build, candidate, directory));
  if (outcome.built)
    return std::optional(outcome.built->sharedObject);
  if (mayFail)
    return std::optional<std::string>();
  const Refusal &refusal = outcome.refusal;
  return bugError("the trap control '" + name + "' of kernel '" + build.spec->kernel + "' does not compile: " +
                  (refusal.findings.empty() ? refusal.detail : refusal.findings.front().message));
}

Result<bool> testsPass(const TrapRequest &request, const std::string &sharedObject) {
  TestRequest test;
  test.programs = &request.shadow->tests;
  test.filter = request.testFilter;
  test.sharedObject = sharedObject;
  TestOutcome outcome = TRY(runTests(*request.run, test, *request.tests));
  return outcome.passed;
}

/// Builds the candidate that aborts; before that it prints its arguments, if their types allow it.
Result<std::string> buildAborting(const BuildContext &build, const std::string &directory) {
  Result<std::optional<std::string>> built = buildTrap(build, directory, "abort", observingBody(*build.spec), true);
  if (built && !*built)
    built = buildTrap(build, directory, "abort-silently", "{ __builtin_abort(); }", false);
  if (!built)
    return std::unexpected(built.error());
  return **built;
}

/// Programs and what was learnt of them.
struct Measured {
  const std::vector<TestProgram> &programs;
  BenchmarkFacts &facts;
};

/// Returns whether the benchmark survives a kernel that aborts.
Result<bool> benchmarkSurvives(const TrapRequest &request, const TestProgram &program,
                               const BenchmarkProgramFacts &facts, const std::string &name,
                               const std::string &sharedObject) {
  ProgramRequest run = shortRun(program, facts, name);
  run.sharedObject = sharedObject;
  ProgramRun done = TRY(runProgram(*request.run, run));
  if (request.observed)
    addObserved(*request.spec, done.process.out, *request.observed);
  const bool printed = program.metric.pattern.empty() || readMetric(program.metric, done.process.out);
  return done.process.ok() && printed; // a script may hide how its program ended
}

struct Printed {
  double ns, cpuSeconds;
};

/// Returns the smallest values of three runs, or those of one that takes long; nullopt if the program does not end as
/// usual.
Result<std::optional<Printed>> printedBy(const TrapRequest &request, const TestProgram &program, double seconds,
                                         const std::string &sharedObject) {
  constexpr double kLeastSeconds = 10, kSlowdown = 5, kLong = 2;
  const int runs = seconds > kLong ? 1 : 3;
  std::optional<Printed> least;
  for (int run = 0; run < runs; ++run) {
    BenchmarkProcessRequest process;
    process.program = &program;
    process.sharedObject = sharedObject;
    process.timeoutSeconds = std::max(kLeastSeconds, kSlowdown * seconds);
    auto sample = TRY(runBenchmark(*request.run, process));
    if (!sample)
      return std::optional<Printed>();
    if (!least)
      least = {sample->metric.ns, sample->account.total};
    least = {std::min(least->ns, sample->metric.ns), std::min(least->cpuSeconds, sample->account.total)};
  }
  return least;
}

/// Compares what each program with a metric prints with what it prints if the kernel does nothing: a number of a
/// benchmark that stays the same is the wrong one. Of an application that may be so: its share is shown.
Result<void> learnShares(const TrapRequest &request, const Measured &measured) {
  constexpr double kLeastShare = 0.02;
  const auto share = [](double nothing, double usual) { return std::clamp(1 - nothing / usual, 0.0, 1.0); };
  for (std::size_t i = 0; i < measured.facts.size(); ++i) {
    const TestProgram &program = measured.programs[i];
    BenchmarkProgramFacts &facts = measured.facts[i];
    if (program.metric.pattern.empty() || !request.libraries->empty)
      continue;
    const LockFile lock = TRY(lockMeasuring({}, request.run->cancelled));
    const auto nothing = TRY(printedBy(request, program, facts.seconds, *request.libraries->empty));
    const auto usual = TRY(printedBy(request, program, facts.seconds, request.baseline));
    if (!nothing || !usual)
      continue;
    facts.kernelShare = share(nothing->ns, usual->ns);
    facts.cpuShare = share(nothing->cpuSeconds, usual->cpuSeconds);
    if (facts.kernelShare < kLeastShare && !program.isApplication)
      return userError("the number that benchmark program '" + program.target + "' prints does not depend on kernel '" +
                           request.spec->kernel + "': it printed " + facts.printed +
                           ", and no better one with a kernel that does nothing",
                       "correct BENCHMARK_METRIC, or let the program measure what calls the kernel");
  }
  return {};
}

std::unexpected<Error> notCalled(const TrapRequest &request, const TestProgram &program, const std::string &name) {
  const std::string kernel = request.spec->kernel,
                    ending = ": a kernel that aborts does not stop it, so its time would say nothing";
  if (program.isApplication)
    return userError("the command of END_TO_END, which runs '" + program.target + "', does not call kernel '" + kernel +
                         "'" + ending,
                     "give it arguments with which it calls the kernel, correct TARGET, or leave END_TO_END out");
  return userError("benchmark '" + name + "' of '" + program.target + "' does not call kernel '" + kernel + "'" +
                       ending,
                   "leave it out with BENCHMARK_FILTER, or correct BENCHMARKS or TARGET");
}

Result<void> checkBenchmarks(const TrapRequest &request, const Measured &measured) {
  for (std::size_t i = 0; i < measured.facts.size(); ++i)
    for (const std::string &name : measured.facts[i].names) {
      bool survives =
          TRY(benchmarkSurvives(request, measured.programs[i], measured.facts[i], name, request.libraries->aborting));
      if (survives)
        return notCalled(request, measured.programs[i], name);
    }
  return {};
}

} // namespace

Result<TrapLibraries> buildTraps(const BuildContext &build, const std::string &directory) {
  std::string aborting = TRY(buildAborting(build, directory));
  const bool isVoid = build.spec->canonicalType.starts_with("void (");
  const std::string nothing = build.spec->language == Language::C
                                  ? "{ static " + build.spec->returnType + " agentic_nothing; return agentic_nothing; }"
                                  : "{ return {}; }";
  Result<std::optional<std::string>> empty = buildTrap(build, directory, "empty", isVoid ? "{}" : nothing, true);
  if (!empty)
    return std::unexpected(empty.error());
  return TrapLibraries{std::move(aborting), std::move(*empty)};
}

Result<void> checkTraps(const TrapRequest &request) {
  const std::string &kernel = request.spec->kernel;
  const TrapLibraries &libraries = *request.libraries;
  Result<bool> passes = testsPass(request, libraries.aborting);
  if (!passes)
    return std::unexpected(passes.error());
  if (*passes)
    return tooWeak(request,
                   "no test of " + programNames(request.shadow->tests) + " calls kernel '" + kernel +
                       "': they pass with a kernel that aborts",
                   "name tests that call it, or correct TEST_FILTER or TARGET");
  const Measured benchmarks{request.shadow->benchmarks, *request.benchmarks};
  const Measured applications{request.shadow->applications, *request.applications};
  for (const Measured *measured : {&benchmarks, &applications}) {
    TRY(checkBenchmarks(request, *measured));
    TRY(learnShares(request, *measured));
  }

  if (!libraries.empty)
    return {};
  passes = testsPass(request, *libraries.empty);
  if (!passes)
    return std::unexpected(passes.error());
  if (*passes)
    return tooWeak(request,
                   "the tests of " + programNames(request.shadow->tests) + " are too weak: they pass with a kernel '" +
                       kernel + "' that does nothing, so they would accept any wrong candidate",
                   "compare the kernel's results with expected values in a test");
  return {};
}

} // namespace agentic
