// The built-in search around other agents: it begins, so that they know what moves alone reach, and it ends by trying
// moves on what they found. When is a fold over the run's journal, so that a resumed run goes on exactly. Pure.
//
// It begins with at most a quarter of the run, and no longer than it gains: eight candidates in a row of which none is
// a new best are enough. It ends with an eighth of the run, at most 12 candidates, and as much as that of what is left
// once the others have stopped; only if the best so far is one of theirs.
#pragma once

#include "tool/model/run_state.h"

namespace agentic {

/// Whether it is the turn of the search from the baseline: none of the others was asked yet.
bool isSeeding(const RunState &state);

/// Whether it is the turn of the search from the best so far. `othersAreDone`: they have stopped.
bool isPolishing(const RunState &state, bool othersAreDone);

} // namespace agentic
