// Tables of a run's attempts for a model, and its rank for each.
#pragma once

#include "tool/model/ranked_attempts.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace agentic {

/// Ideas by candidate id, for the tables.
using Ideas = std::map<std::string, std::string>;

/// Returns "#7 2.41x [2.38, 2.44] the best so far: idea", one line per attempt, fastest first, at most `most`; then the
/// latest rejected ones, and the number of each kind. Empty without attempts.
std::string leaderboard(const RunState &state, const Ideas &ideas, std::size_t most);

/// Returns such lines of the attempts with these indices, in their order.
std::string rowsOf(const RunState &state, const Ideas &ideas, const std::vector<std::size_t> &indices);

/// Returns the rank of the attempt with this index among those up to it: "It is 2nd of 5 that were measured; the best
/// is #3 with 2.41x."
std::string rankText(const RunState &state, std::size_t index);

} // namespace agentic
