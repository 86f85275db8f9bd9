// Ranks the attempts of a run: which led when, and how much faster than the baseline each is. Pure.
#pragma once

#include "tool/model/run_state.h"

#include <vector>

namespace agentic {

struct RankedAttempt {
  int number = 0; ///< "#3": index into attempts + 1
  /// Speedup over the baseline; for an attempt measured against the best alone, that ratio times the best's. 0 = not
  /// measured.
  double ratio = 0;
  double low = 0, high = 0; ///< what the measurement leaves open, in the same way
  bool isDirect = false;    ///< measured against the baseline
  bool led = false;         ///< was the best when it was measured
};

/// Returns all attempts, in order.
std::vector<RankedAttempt> rankedAttempts(const RunState &state);

} // namespace agentic
