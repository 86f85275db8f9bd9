#include "tool/evaluate/baseline/baseline_facts.h"

#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/lock_file.h"
#include "tool/build/audit.h"
#include "tool/build/host.h"
#include "tool/evaluate/baseline/differential_facts.h"
#include "tool/evaluate/baseline/kept_callers.h"
#include "tool/evaluate/baseline/recorded_calls_baseline.h"
#include "tool/evaluate/baseline/trap_controls.h"
#include "tool/evaluate/benchmark/end_to_end.h"
#include "tool/evaluate/candidate/candidate_link.h"
#include "tool/evaluate/programs/task_grants.h"
#include "tool/source/candidate/candidate_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace agentic {
namespace {

constexpr double kCalibrationSeconds = 5, kFirstBenchmarkSeconds = 60, kLockSeconds = 3600;
// Shares of a run's budget, so that a small one is not spent before the first candidate.
constexpr double kCalibrationShare = 0.1, kFirstBenchmarkShare = 0.4;
constexpr int kMostCalibrationPairs = 8, kLeastCalibrationPairs = 3;

class BaselineLearner {
public:
  BaselineLearner(Prepared &prepared, const EvaluatorOptions &options) : prepared_(prepared), options_(options) {}

  Result<void> run() {
    const std::string key = factsKey();
    prepared_.factsKey = key;
    const std::string file = prepared_.cacheDirectory + "/facts-" + std::string(prepared_.level->name) + ".json";
    directory_ = prepared_.cacheDirectory + "/baseline-" + key.substr(0, 16);
    prepared_.baselineLibrary = directory_ + "/candidate.so";
    if (load(file, key))
      return {};
    const LockFile lock = TRY(LockFile::acquire(prepared_.cacheDirectory + "/lock", kLockSeconds, options_.cancelled));
    if (load(file, key)) // another process was first
      return {};
    ScratchDirectory scratch = TRY(ScratchDirectory::create(prepared_.workRoot, "prepare-"));
    scratch_ = scratch.path().string();
    TRY(createDirectories(directory_));
    for (auto step : {&BaselineLearner::learnTestList, &BaselineLearner::build, &BaselineLearner::learnBenchmarkList,
                      &BaselineLearner::controls, &BaselineLearner::record, &BaselineLearner::calibrate}) {
      const bool measures = step == &BaselineLearner::learnBenchmarkList || step == &BaselineLearner::record ||
                            step == &BaselineLearner::calibrate;
      if (measures && !prepared_.isTimed)
        continue;
      if (Result<void> done = (this->*step)(); !done) {
        if (ahead_.valid())
          ahead_.wait(); // it writes to `scratch`
        return done;
      }
    }
    end();
    return saveFacts(file, key, facts());
  }

private:
  BaselineFacts &facts() { return prepared_.facts; }
  RunContext context() const { return prepared_.runContext(options_, scratch_); }
  void begin(const char *name, const std::string &line) {
    end();
    stage_ = name;
    start_ = steadySeconds();
    if (options_.progress)
      options_.progress(line);
  }
  void end() {
    if (!stage_.empty())
      prepared_.times.push_back({stage_, steadySeconds() - start_});
    stage_.clear();
  }

  std::string factsKey() const {
    HashBuilder key;
    key.add(prepared_.specKey).add(prepared_.shadow.key).add(prepared_.spec.fingerprint).add(prepared_.spec.text);
    for (const char *judge : {kRunnerProgram, kRecorderLibrary})
      key.add(fileHash(helperFile(judge).value_or(std::string())));
    for (const std::string &word : prepared_.manifest.runner)
      key.add(word);
    key.add(prepared_.level->name).add(prepared_.programHosts ? prepared_.programHosts->group() : cpuName());
    key.add(prepared_.manifest.testFilter);
    key.add(prepared_.manifest.benchmarkFilter).add(fmt::format("{}", int(prepared_.programs.strength())));
    for (const std::string &argument : prepared_.shadow.command.arguments)
      key.add(argument);
    for (const auto *programs : {&prepared_.shadow.tests, &prepared_.shadow.benchmarks, &prepared_.shadow.applications})
      for (const TestProgram &program : *programs) {
        key.add(program.file).add(program.workingDirectory).add(program.metric.pattern).add(program.metric.unit);
        for (const auto *words : {&program.command, &program.arguments, &program.environment})
          for (const std::string &word : *words)
            key.add(word);
        for (const std::string &script : program.scripts())
          key.add(fileHash(script));
      }
    return key.hex();
  }

  bool load(const std::string &file, const std::string &key) {
    std::error_code error;
    std::optional<BaselineFacts> cached = loadFacts(file, key);
    if (!cached || !fs::exists(prepared_.baselineLibrary, error))
      return false;
    for (const std::string &needed : {cached->recording.glueLibrary, cached->recording.callsFile})
      if (!needed.empty() && !fs::exists(needed, error))
        return false;
    // In C it may have been for a header that is no part of the key (build/glue.cpp).
    if (prepared_.isTimed && prepared_.spec.language == Language::C && cached->recording.glueLibrary.empty())
      if (const Result<BuiltGlue> glue = buildKernelGlue(prepared_.buildContext(options_));
          glue && !glue->library.empty())
        return false;
    facts() = std::move(*cached);
    useRecording();
    warnOfLeftOut();
    return true;
  }

  Result<void> learnTestList() {
    begin("baseline-tests", "running the tests on the unchanged kernel");
    if (prepared_.isTimed)
      compileAhead();
    else // an emulator raises the fatal signal of its program itself, and process 1 would survive that
      facts().tasks = Tasks::Processes;
    TestRequest request;
    request.programs = &prepared_.shadow.tests;
    request.filter = prepared_.manifest.testFilter;
    Result<TestFacts> learned =
        withFewestTasks(facts().tasks, context(), [&](const RunContext &run) { return learnTests(run, request); });
    if (!learned)
      return std::unexpected(learned.error());
    facts().tests = std::move(*learned);
    for (const TestProgramFacts &program : facts().tests) {
      facts().calibration.testSeconds += program.seconds;
      for (const auto &[name, test] : program.tests)
        facts().calibration.testCount += test.state == TestCase::State::Completed;
    }
    return {};
  }

  /// Fills the caches of later steps: beside the tests, but it ends before anything is timed.
  void compileAhead() {
    ahead_ = std::async(std::launch::async, [this, build = prepared_.buildContext(options_)]() -> Result<void> {
      TRY(buildKernelGlue(build));
      TRY(buildBaselines(prepared_, build));
      return buildTraps(build);
    });
  }

  Result<void> buildTraps(const BuildContext &build) {
    traps_ = TRY(agentic::buildTraps(build, scratch_));
    return {};
  }

  /// The baseline goes through the candidates' own pipeline: a stage that rejects it would reject all of them.
  Result<void> build() {
    begin("baseline-build", "building the unchanged kernel as a candidate");
    Candidate baseline = makeCandidate(baselineCandidate(prepared_.spec), "baseline");
    BuildContext pipeline = prepared_.buildContext(options_);
    pipeline.isBaseline = true;
    const double start = steadySeconds();
    BuildOutcome checked = TRY(buildCandidate(pipeline, baseline, directory_));
    if (!checked.built)
      return refused(checked.refusal);
    facts().calibration.compileSeconds = steadySeconds() - start;
    facts().objectHash = checked.built->objectHash;
    std::vector<std::string> symbols = TRY(undefinedSymbols(checked.built->objectFile));
    facts().allowedUndefined = std::move(symbols);
    for (const ExternalFunction &function : prepared_.spec.externals)
      if (!function.mangled.empty())
        facts().allowedUndefined.push_back(function.mangled);

    TestRequest request;
    request.programs = &prepared_.shadow.tests;
    request.filter = prepared_.manifest.testFilter;
    request.sharedObject = prepared_.baselineLibrary;
    TestOutcome outcome = TRY(runTests(context(), request, facts().tests));
    if (!outcome.passed)
      return userError("the unchanged kernel '" + prepared_.spec.kernel +
                           "' fails its tests when it is loaded as a shared object: " + outcome.detail,
                       "look for tests that depend on the order or the time, or on the kernel's address");
    return {};
  }

  /// Places are SOURCE's: the kernel's text as a candidate has the same lines.
  std::unexpected<Error> refused(const Refusal &refusal) const {
    const KernelSpec &spec = prepared_.spec;
    std::string message =
        "the unchanged kernel '" + spec.kernel + "' cannot be a candidate (stage " + stageName(refusal.stage) + "):";
    for (const Finding &finding : refusal.findings) {
      const unsigned indent = finding.line == 1 ? spec.column - 1 : 0;
      message += fmt::format("\n  {}:{}:{}: {} [{}]", spec.source, spec.line + finding.line - 1,
                             finding.column + indent, finding.message, finding.check);
    }
    if (!refusal.detail.empty())
      message += "\n" + refusal.detail;
    const std::string next =
        refusal.stage == Stage::Compile
            ? "a variant is a file of its own, with the directives of " + spec.source +
                  " and what the kernel uses of it: declare what the compiler misses in a header that it includes"
            : "write what it says at that place";
    return std::unexpected(Error{ErrorKind::Rejected, message, next + "; builds use the kernel as it is written"});
  }

  Result<void> learnBenchmarkList() {
    TRY(ahead_.get());
    begin("baseline-benchmarks", "running the benchmarks on the unchanged kernel");
    Result<BenchmarkFacts> learned = withFewestTasks(
        facts().tasks, context(), [&](const RunContext &run) { return learnBenchmarks(run, benchmarkRequest()); });
    if (!learned)
      return std::unexpected(learned.error());
    facts().benchmarks = std::move(*learned);
    facts().calibration.benchmarkSeconds = pairSeconds(facts().benchmarks);
    warnOfLeftOut();
    return learnApplication();
  }

  Result<void> learnApplication() {
    if (prepared_.shadow.applications.empty())
      return {};
    BenchmarkRequest request = benchmarkRequest();
    request.programs = &prepared_.shadow.applications;
    Result<BenchmarkFacts> learned =
        withFewestTasks(facts().tasks, context(), [&](const RunContext &run) { return learnBenchmarks(run, request); });
    if (!learned)
      return std::unexpected(learned.error());
    facts().applications = std::move(*learned);
    facts().calibration.endToEndSeconds = endToEndSeconds(facts().applications, endToEndPairs(facts().applications));
    return {};
  }

  void warnOfLeftOut() {
    for (const BenchmarkProgramFacts &program : facts().benchmarks)
      for (const std::string &name : program.unseen)
        prepared_.warnings.push_back(fmt::format(
            "benchmark '{}' of '{}' reports the CPU time of its main thread, but other threads do the work: no gain "
            "shows in it; add ->UseRealTime() or ->MeasureProcessCPUTime() to it",
            name, program.target));
    for (const BenchmarkProgramFacts &program : facts().benchmarks)
      for (const auto &[name, message] : program.leftOut)
        prepared_.warnings.push_back(fmt::format(
            "benchmark '{}' of '{}' is left out: it reports an error on the unchanged kernel{}; correct it, "
            "or leave it out with BENCHMARK_FILTER",
            name, program.target, message.empty() ? "" : " (" + message + ")"));
  }

  BenchmarkRequest benchmarkRequest() const {
    BenchmarkRequest request;
    request.programs = &prepared_.shadow.benchmarks;
    request.filter = prepared_.manifest.benchmarkFilter;
    request.reference = request.candidate = prepared_.baselineLibrary;
    request.seed = options_.seed;
    request.firstTimeoutSeconds = withinBudget(kFirstBenchmarkSeconds, kFirstBenchmarkShare);
    return request;
  }

  double withinBudget(double seconds, double share) const {
    return options_.secondsLimit > 0 ? std::min(seconds, share * options_.secondsLimit) : seconds;
  }

  Result<void> controls() {
    begin("trap-controls", prepared_.isTimed ? "checking that the tests and benchmarks notice a wrong kernel"
                                             : "checking that the tests notice a wrong kernel");
    if (!prepared_.isTimed)
      TRY(buildTraps(prepared_.buildContext(options_)));
    const RunContext run = context();
    TrapRequest request{.run = &run,
                        .spec = &prepared_.spec,
                        .libraries = &traps_,
                        .baseline = prepared_.baselineLibrary,
                        .shadow = &prepared_.shadow,
                        .tests = &facts().tests,
                        .benchmarks = &facts().benchmarks,
                        .applications = &facts().applications,
                        .testFilter = prepared_.manifest.testFilter,
                        .observed = &facts().calibration.observed};
    return checkTraps(request);
  }

  Result<void> record() {
    begin("recording", "recording calls of the unchanged kernel in tests and benchmarks");
    RecordingFacts recorded = TRY(recordBaseline(prepared_, options_, directory_, scratch_));
    facts().recording = std::move(recorded);
    useRecording();
    return keepCallers(prepared_);
  }

  void useRecording() {
    prepared_.glueLibrary = facts().recording.glueLibrary;
    prepared_.callsFile = facts().recording.callsFile;
    prepared_.spec.overlaps = facts().recording.overlaps;
    prepared_.spec.callers = facts().recording.callers;
  }

  /// Compares the baseline with itself: the difference that noise alone makes here and now.
  Result<void> calibrate() {
    begin("calibration", "measuring the unchanged kernel against itself");
    double pairs =
        withinBudget(kCalibrationSeconds, kCalibrationShare) / std::max(1e-3, facts().calibration.benchmarkSeconds);
    int count = int(std::clamp(pairs, double(kLeastCalibrationPairs), double(kMostCalibrationPairs)));
    BenchmarkRequest request = benchmarkRequest();
    request.rule.threshold = options_.threshold;
    request.rule.stages = {count};
    request.rule.minimumPairs = count;
    BenchmarkOutcome outcome = TRY(measure(context(), request, facts().benchmarks));
    end();
    if (!outcome.measurement)
      return userError("the benchmark of the unchanged kernel '" + prepared_.spec.kernel +
                           "' is not reliable: " + outcome.rejection + outcome.undecided,
                       "run it by hand several times, on a quiet machine");
    facts().calibration.baselineNs = outcome.measurement->referenceNs;
    facts().calibration.smallestDifference = smallestDifference(*outcome.measurement, options_.threshold);
    if (facts().calibration.smallestDifference > 1.5 * options_.threshold)
      prepared_.warnings.push_back(
          fmt::format("timings on this machine are noisy now: differences below {:.1f} % will not be seen",
                      100 * facts().calibration.smallestDifference));
    return {};
  }

  Prepared &prepared_;
  const EvaluatorOptions &options_;
  std::string directory_, scratch_, stage_;
  TrapLibraries traps_;
  double start_ = 0;
  std::future<Result<void>> ahead_; ///< last: it uses the others
};

} // namespace

Result<void> learnBaseline(Prepared &prepared, const EvaluatorOptions &options) {
  return BaselineLearner(prepared, options).run();
}

} // namespace agentic
