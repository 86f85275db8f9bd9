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
ProgramRequest recordedBenchmark(const TestProgram &program, const BenchmarkProgramFacts &facts,
                                 const std::string &name) {
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
  const std::size_t tests = runs.size();
  for (std::size_t i = 0; i < request.benchmarks->size(); ++i) {
    const BenchmarkProgramFacts &facts = (*request.benchmarks)[i];
    for (const std::string &name : facts.names)
      if (runs.size() - tests < kMostRecordedBenchmarks)
        runs.push_back({recordedBenchmark(request.shadow->benchmarks[i], facts, name), facts.seconds, true});
  }
  return runs;
}

} // namespace

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
