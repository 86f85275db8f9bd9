// Paired timings and the verdict on them.
#pragma once

#include <string>
#include <vector>

namespace agentic {

/// The result of one process for one benchmark: CPU time per iteration of each repetition, in ns.
using Repetitions = std::vector<double>;

struct Pair {
  Repetitions reference, candidate;
};

/// A speedup: reference time / candidate time. Above 1 the candidate is faster.
struct Speedup {
  double ratio = 1, low = 1, high = 1;
  /// low and high are what the decision looked at: a 99 % interval of this session; else (below 8 pairs) the range of
  /// the pair ratios. Nothing for a reader.
  bool isInterval = false;
  /// low and high hold a later measurement, too (benchmark/claim_interval.h). Else this is an estimate, made in a
  /// search that keeps the best of many: it is shown without them.
  bool isConfirmed = false;
};

enum class Comparison { Faster, Slower, Same, TooNoisy };

struct BenchmarkMeasurement {
  std::string benchmark; ///< Google Benchmark's run_name
  Comparison comparison = Comparison::Same;
  Speedup speedup;
  double referenceNs = 0, candidateNs = 0; ///< medians, per iteration
  std::vector<Pair> pairs;
};

struct Measurement {
  Comparison comparison = Comparison::Same;
  Speedup speedup;                         ///< geometric mean over benchmarks
  double referenceNs = 0, candidateNs = 0; ///< geometric means over benchmarks
  std::vector<BenchmarkMeasurement> benchmarks;
  std::string reason; ///< why not faster; empty when Faster
};

} // namespace agentic
