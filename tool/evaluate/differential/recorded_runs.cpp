#include "tool/evaluate/differential/recorded_runs.h"

#include "tool/evaluate/benchmark/benchmark_process.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr double kLeastSeconds = 20, kSlowdown = 10, kBenchmarkSeconds = 0.05;

struct PlannedRun {
  ProgramRequest program;
  double usualSeconds;
  bool isBenchmark;
};

/// The time suffices for a second call even if the machine is slow and the first one is being recorded. Two
/// repetitions, for slower kernels and for benchmarks that set their iterations: a later call finds in its buffers what
/// the kernel left there.
ProgramRequest recordedRun(const TestProgram &program, const BenchmarkProgramFacts &facts, const std::string &name) {
  ProgramRequest run = shortRun(program, facts, name, kBenchmarkSeconds);
  if (program.metric.pattern.empty())
    run.arguments.push_back("--benchmark_repetitions=2");
  return run;
}

std::vector<PlannedRun> plannedRuns(const RecordingRequest &request) {
  std::vector<PlannedRun> runs;
  for (std::size_t i = 0; !request.benchmarksOnly && i < request.shadow->tests.size(); ++i) {
    const TestProgramFacts facts = i < request.tests->size() ? (*request.tests)[i] : TestProgramFacts();
    runs.push_back({testRun(request.shadow->tests[i], facts, request.testFilter), facts.seconds, false});
  }
  for (const RecordedBenchmark &benchmark : recordedBenchmarks(*request.benchmarks)) {
    const BenchmarkProgramFacts &facts = (*request.benchmarks)[benchmark.program];
    const TestProgram &program = request.shadow->benchmarks[benchmark.program];
    runs.push_back({recordedRun(program, facts, benchmark.name), facts.seconds, true});
  }
  return runs;
}

} // namespace

std::vector<RecordedBenchmark> recordedBenchmarks(const BenchmarkFacts &facts) {
  constexpr std::size_t kMost = 32;
  std::vector<RecordedBenchmark> benchmarks;
  for (std::size_t i = 0; i < facts.size(); ++i)
    for (const std::string &name : facts[i].names)
      if (benchmarks.size() < kMost)
        benchmarks.push_back({i, name});
  return benchmarks;
}

Result<void> runRecorded(const RecordingRequest &request, const RunAdditions &added,
                         const std::function<bool(std::string_view bytes, bool isBenchmark)> &take) {
  for (PlannedRun &run : plannedRuns(request)) {
    run.program.sharedObject = request.glueLibrary;
    run.program.recorder = request.recorder;
    run.program.timeoutSeconds = std::max(kLeastSeconds, kSlowdown * run.usualSeconds);
    run.program.added = added;
    ProgramRun done = TRY(runProgram(*request.run, run.program));
    if (done.recording && !take(*done.recording, run.isBenchmark))
      break;
  }
  return {};
}

} // namespace agentic
