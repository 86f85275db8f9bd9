// The facts that depend only on the baseline, kept across processes below <build>/_agentic/cache/<kernel>/. A file that
// cannot be read, has another key or another schema counts as absent.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/evaluate/differential/observed_values.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/evaluate/programs/test_stage.h"
#include "tool/model/kernel_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct Calibration {
  double testSeconds = 0;      ///< one run of all test programs on the baseline
  double benchmarkSeconds = 0; ///< one pair
  double endToEndSeconds = 0;  ///< all pairs of the application; 0 = none
  double compileSeconds = 0;
  double smallestDifference = 0.02; ///< from the A/A run: the smallest difference that this machine can detect
  double baselineNs = 0;
  int testCount = 0;
  ObservedValues observed; ///< values of integer parameters in the benchmarks
  double treeSeconds = 0;  ///< one build of the kernel's tests and benchmarks; write-back makes two
};

struct BaselineFacts {
  TestFacts tests;
  BenchmarkFacts benchmarks;
  BenchmarkFacts applications; ///< of END_TO_END: one, or none
  Calibration calibration;
  RecordingFacts recording;
  std::string objectHash;                    ///< object hash of the baseline as a candidate
  std::vector<std::string> allowedUndefined; ///< symbols that its object and the closure refer to
  Tasks tasks = Tasks::None;                 ///< the tasks granted to its tests and benchmarks
};

std::optional<BaselineFacts> loadFacts(const std::string &file, const std::string &key);
Result<void> saveFacts(const std::string &file, const std::string &key, const BaselineFacts &facts);

/// Returns the kernel's specification; it is fresh while `key` and all project headers that it names are unchanged.
std::optional<KernelSpec> loadSpec(const std::string &file, const std::string &key);
Result<void> saveSpec(const std::string &file, const std::string &key, const KernelSpec &spec);

/// Returns version, size and time of the running program: another build of the tool shares no cache.
std::string toolIdentity();

} // namespace agentic
