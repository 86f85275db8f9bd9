// Menu dropout: of the ideas that a model is told of, each question leaves some out, drawn anew, so that questions that
// know nothing of each other do not all take the same one.
#pragma once

#include "tool/model/run_state.h"

#include <string>
#include <string_view>

namespace agentic {

/// Leaves out each item of a list with this probability, 0 to 1; one at least remains. An item begins with "- " at the
/// begin of a line outside of fences; other lines before it are a heading, which goes with the last of its items. What
/// is drawn is the same for the same seed, number of earlier questions, role and item. Without a strategy's question
/// (RunState::ask) all remain: one conversation goes on with what it was told.
std::string thinnedMenu(std::string_view list, double dropout, const RunState &state, std::string_view role);

} // namespace agentic
