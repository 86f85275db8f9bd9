// The result of `suite`: one row per kernel, and the summary of all rows.
#pragma once

#include "tool/model/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// What the search's estimate promised of one candidate, and what came.
struct Promise {
  std::string recipe;
  double promised = 1;        ///< estimated speedup over the kernel as written
  std::optional<double> came; ///< measured; nullopt: it was not
  std::string verdict;        ///< "accepted", "rejected by check", …
};

struct SuiteRow {
  std::string kernel;
  /// Every accepted candidate passed the project's tests: false only where the kernel could not be run at all.
  bool correct = false;
  bool improved = false;                  ///< a variant won; else `speedup` is 1 by definition
  std::optional<Speedup> speedup;         ///< nullopt where the kernel could not be measured
  double baselineNs = 0, bestNs = 0;      ///< per call, geometric mean over benchmarks; 0 = not known
  std::optional<double> expertPercent;    ///< 100 * the expert's time / best time; 100 = as fast as the expert
  std::string expert;                     ///< the library: "OpenBLAS"
  std::optional<double> bandwidthPercent; ///< of the bandwidth that memory has at this size, see evaluate/roofline.h
  std::string memoryLevel;                ///< the level of that bandwidth: "L2", "memory"
  std::optional<double>
      arithmeticPercent; ///< of peak single-precision arithmetic; only where the benchmark has a rate counter FLOPS
  int candidates = 0;
  double seconds = 0;
  std::string origin;            ///< origin of the winner: "builtin: strip-mine(j,16)"
  std::string reason;            ///< why nothing was gained, or the error
  std::vector<Promise> promises; ///< in the order in which they were tried; only if they are wanted
};

struct Suite {
  std::string machine, compiler, agent;
  double maxSeconds = 0; ///< limit per kernel; 0 = the project's
  bool cold = false, interrupted = false;
  std::vector<SuiteRow> rows;
};

/// A factor's share is the number of rows that are correct and whose ratio is at least the factor, over all rows.
/// fast_1 therefore counts a kernel that keeps its baseline: correct and not slower. The geometric mean takes 1 for a
/// kernel without a result.
struct SuiteSummary {
  double geometricMean = 1;
  double fast1 = 0, fast1_5 = 0, fast2 = 0, fast4 = 0;
  /// Of the kernels that are compared with an expert: the median of the shares of its speed; and of those whose expert
  /// gains at least 1.5x over the baseline, the share that gains as much.
  std::optional<double> medianExpertPercent, fast1_5WhereExpert;
};

} // namespace agentic
