// Trap controls: deliberately wrong candidates that must fail. They prove that substitution reaches the tests and the
// benchmarks, and that the tests look at the result, before anything is spent.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/candidate/candidate_build.h"
#include "tool/evaluate/differential/observed_values.h"
#include "tool/evaluate/programs/program_run.h"
#include "tool/evaluate/programs/test_stage.h"

#include <optional>
#include <string>

namespace agentic {

struct TrapLibraries {
  std::string aborting;
  std::optional<std::string> empty; ///< nullopt if the return type cannot be made from nothing
};

/// Builds the trap controls below `directory`. Cost: two compiles, which need only the specification.
Result<TrapLibraries> buildTraps(const BuildContext &build, const std::string &directory);

struct TrapRequest {
  const RunContext *run = nullptr;
  const KernelSpec *spec = nullptr;
  const TrapLibraries *libraries = nullptr;
  std::string baseline; ///< the unchanged kernel as a candidate
  const ShadowTree *shadow = nullptr;
  const TestFacts *tests = nullptr;
  BenchmarkFacts *benchmarks = nullptr;   ///< gets the kernel's share of what programs with a metric print
  BenchmarkFacts *applications = nullptr; ///< the same
  std::string testFilter;
  ObservedValues *observed = nullptr; ///< gets the values that the benchmarks' first calls pass; may be null
};

/// Requires that an aborting control kills at least one test, every measured benchmark and the application, and that a
/// control with an empty body (or a value-initialised return) fails at least one test. The error names the program that
/// is not reached, the tests as too weak, or the program whose metric does not depend on the kernel. Cost: two test
/// runs and a start of each benchmark; six runs of one with a metric.
Result<void> checkTraps(const TrapRequest &request);

} // namespace agentic
