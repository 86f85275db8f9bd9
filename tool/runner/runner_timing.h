// The time of a call, from batches of calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace agentic::runner {

/// Seconds for each call of two batches, one right after the other.
struct TimedBatches {
  double preparation = 0; ///< of what is done before each call, alone
  double both = 0;        ///< of that and the call
};

/// Returns the seconds of a call alone: the lower quartile of the differences, at least 1e-10. Neighbours are disturbed
/// alike. No shortest time will do: on a busy virtual machine a thread's clock sometimes loses a millisecond, so that a
/// batch with calls seems to take less than what comes before them. `batches` is not empty.
inline double secondsOfCall(const std::vector<TimedBatches> &batches) {
  std::vector<double> differences;
  for (const TimedBatches &one : batches)
    differences.push_back(one.both - one.preparation);
  const auto quartile = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 4);
  std::nth_element(differences.begin(), quartile, differences.end());
  return std::max(*quartile, 1e-10);
}

} // namespace agentic::runner
