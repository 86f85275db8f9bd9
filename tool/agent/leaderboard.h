// Ranks the attempts of a run: which led when, and how much faster than the baseline each is.
#pragma once

#include "tool/model/run_state.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct RankedAttempt {
  int number = 0; ///< "#3": index into attempts + 1
  /// Speedup over the baseline; for an attempt measured against the best alone, that ratio times the best's. 0 = not
  /// measured.
  double ratio = 0;
  bool isDirect = false; ///< measured against the baseline
  bool led = false;      ///< was the best when it was measured
};

/// Returns all attempts, in order.
std::vector<RankedAttempt> rankedAttempts(const RunState &state);

/// Ideas by candidate id, for the tables.
using Ideas = std::map<std::string, std::string>;

/// Returns "#7 2.41x [2.38, 2.44] the best so far: idea", one line per attempt, fastest first, at most `most`; then the
/// latest rejected ones, and the number of each kind. Empty without attempts.
std::string leaderboard(const RunState &state, const Ideas &ideas, std::size_t most);

/// Returns the rank of the attempt with this index among those up to it: "It is 2nd of 5 that were measured; the best
/// is #3 with 2.41x."
std::string rankText(const RunState &state, std::size_t index);

} // namespace agentic
