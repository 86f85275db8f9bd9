// Reference kernels of the tool's own, each as a benchmark process that takes Google Benchmark's options and writes its
// report: what the benchmark stage measures on a machine that has neither a project nor a compiler. And the load that
// stands for somebody else's compiler meanwhile.
//
// In such a process only; takes as long as it is told to.
#pragma once

#include "tool/base/error.h"

#include <string>

namespace agentic {

/// A kernel's shape. "cache": a small matrix product whose data fit the first cache; "memory": a triad over more than
/// twice the last cache.
inline constexpr const char *kCacheKernel = "cache";
inline constexpr const char *kMemoryKernel = "memory";

/// What the dispatcher's variable says to have 5 % of the rows, or of the elements, left out: a gain of known size.
inline constexpr const char *kLessWork = "less-work";
inline constexpr double kKnownGain = 0.05;

struct CalibrationKernelRun {
  std::string kernel;
  bool lessWork = false;
  int repetitions = 1;
  double minTime = 0.02; ///< seconds per repetition, at least
};

/// Runs it and returns the report, in nanoseconds of CPU time. Looks for the number of iterations as Google Benchmark
/// does: the CPU audit counts on that. Errors: no such kernel; no memory.
Result<std::string> runCalibrationKernel(const CalibrationKernelRun &run);

/// What a compiler does to its neighbours: allocates and frees, jumps about in some 100 MiB, copies, asks the system
/// for fresh pages. Until `seconds` are over.
void burdenMachine(double seconds);

} // namespace agentic
