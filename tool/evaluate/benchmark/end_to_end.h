// The whole application with the original and with a variant: END_TO_END of add_agentic_kernel(). Pairs of fresh
// processes as for benchmarks (benchmark_stage.h), the same number of the original with itself, and an interval that
// is never narrower than what the original shows against itself.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/benchmark_stage.h"
#include "tool/model/end_to_end.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agentic {

/// Sets outcome, speedup, spread and pairs. The half of the interval, in logarithms, is the larger of that of
/// claim_interval.h and the outermost end of the original's interval against itself. At least two pairs of each. Pure.
void judgeEndToEnd(std::span<const Pair> same, std::span<const Pair> pairs, double confidence, EndToEnd &result);

/// Returns the number of pairs that six seconds have room for, from 8 to 20.
int endToEndPairs(const BenchmarkFacts &application);

/// Returns the seconds that so many pairs take, and as many of the original with itself.
double endToEndSeconds(const BenchmarkFacts &application, int pairs);

struct EndToEndRequest {
  const std::vector<TestProgram> *original = nullptr, *variant = nullptr; ///< one program each
  std::string choice;                    ///< level that the variant's side is forced to
  const BenchmarkFacts *facts = nullptr; ///< of that one program
  std::optional<double> secondsLeft;     ///< less than 8 pairs are likely to take: not measured, and the result says so
  std::string lockFile;                  ///< empty = the machine-wide one
};

/// Measures. An application that fails, or hangs, with the variant alone is a result; so is a machine that does not
/// allow the measurement. Errors: interrupted; bugs.
Result<EndToEnd> measureEndToEnd(const RunContext &context, const EndToEndRequest &request);

} // namespace agentic
