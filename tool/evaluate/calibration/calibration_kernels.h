// The tool's own reference kernels, each as a benchmark process that takes Google Benchmark's options and writes its
// report: the benchmark stage measures them on a machine that has neither a project nor a compiler. Also the load that
// simulates another user's compiler meanwhile.
//
// Runs in such a process only; takes as long as requested.
#pragma once

#include "tool/base/error.h"

#include <string>

namespace agentic {

/// A kernel's shape. "cache": a small matrix product whose data fit the first cache; "memory": a triad over more than
/// twice the last cache.
inline constexpr const char *kCacheKernel = "cache";
inline constexpr const char *kMemoryKernel = "memory";

/// The value of the dispatcher's variable that leaves out 5 % of the rows, or of the elements: a gain of known size.
inline constexpr const char *kLessWork = "less-work";
inline constexpr double kKnownGain = 0.05;

struct CalibrationKernelRun {
  std::string kernel;
  bool lessWork = false;
  int repetitions = 1;
  double minTime = 0.02; ///< seconds per repetition, at least
};

/// Runs a kernel and returns the report, in nanoseconds of CPU time. Searches the number of iterations as Google
/// Benchmark does: the CPU audit relies on that. Errors: no such kernel; no memory.
Result<std::string> runCalibrationKernel(const CalibrationKernelRun &run);

/// Loads the machine like a compiler: allocates and frees, jumps about in some 100 MiB, copies, asks the system for
/// fresh pages. Ends after `seconds`.
void burdenMachine(double seconds);

} // namespace agentic
