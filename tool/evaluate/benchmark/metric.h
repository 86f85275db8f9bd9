// The number that a program prints which is no Google Benchmark: found by BENCHMARK_METRIC, and METRIC of END_TO_END.
// The output is read as hostile input. A parser that reads the wrong number is worse than none, so whatever is doubtful
// is an error, and what was read is shown.
#pragma once

#include "tool/build/shadow.h"

#include <expected>
#include <string>
#include <string_view>

namespace agentic {

struct MetricValue {
  double ns = 0;     ///< the time, or that of one of what is counted per second; positive
  std::string shown; ///< number and unit: "12.5 MB/s"
  std::string line;  ///< that it was found in, at most 100 characters; the program's words
};

struct MetricError {
  std::string reason;  ///< our text: safe to show. The end of a sentence that begins with the program
  std::string details; ///< the program's words
};

/// Returns the number in a program's output; never throws. Errors: no match or more than one, no positive number, a
/// metric that cannot be used. Cost: a search in each line.
std::expected<MetricValue, MetricError> readMetric(const Metric &metric, std::string_view output);

} // namespace agentic
