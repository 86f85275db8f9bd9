// Runs the project's programs with the recorder in them: the tests, and a short run of each benchmark.
#pragma once

#include "tool/base/error.h"
#include "tool/build/glue.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/programs/program_run.h"
#include "tool/evaluate/programs/test_stage.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct RecordedBenchmark {
  std::size_t program = 0; ///< index
  std::string name;
};
/// Returns those whose calls are recorded: the first 32.
std::vector<RecordedBenchmark> recordedBenchmarks(const BenchmarkFacts &facts);

struct RecordingRequest {
  const RunContext *run = nullptr;
  const ShadowTree *shadow = nullptr;
  const TestFacts *tests = nullptr;
  const BenchmarkFacts *benchmarks = nullptr;
  const GlueDescription *kernel = nullptr;
  std::string testFilter;
  std::string glueLibrary;
  std::string recorder; ///< the preloaded library
  bool benchmarksOnly = false;
};

/// Runs them one after the other; `take` gets the recorder's output of each (hostile input) until it returns false. A
/// program that fails contributes its output up to then. Cost: one run of the tests, a short one of
/// recordedBenchmarks().
Result<void> runRecorded(const RecordingRequest &request, const RunAdditions &added,
                         const std::function<bool(std::string_view bytes, bool isBenchmark)> &take);

} // namespace agentic
