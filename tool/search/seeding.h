// The built-in search around other agents: it begins, so that they know the result of moves alone, and it ends by
// trying moves on their results. Its turns are a fold over the run's journal, so that a resumed run continues exactly.
// Pure.
//
// It begins with at most a quarter of the run, and stops after eight candidates in a row without a new best. It ends
// with an eighth of the run, at most 12 candidates, and the same share of the rest once the others have stopped; only
// if the incumbent is one of theirs.
#pragma once

#include "tool/model/run_state.h"

namespace agentic {

/// Returns whether it is the turn of the search from the baseline: none of the others was asked yet.
bool isSeeding(const RunState &state);

/// Returns whether it is the turn of the search from the incumbent. `othersAreDone`: they have stopped.
bool isPolishing(const RunState &state, bool othersAreDone);

} // namespace agentic
