// Counts why candidates of a run were rejected, in one way for all reports. Pure.
#pragma once

#include "tool/model/evaluation.h"
#include "tool/search/journal.h"

#include <map>
#include <string>

namespace agentic {

/// The count of a model's replies without a candidate.
inline constexpr const char *kRejectedReply = "reply";

/// Returns the stage that rejected it; "benchmark" for one that is not faster, the same code and want of time included;
/// "confirm" if fresh pairs showed that. Empty: it was accepted.
std::string rejectedBy(const Evaluation &evaluation);

/// Returns the counts: of evaluated candidates, of accepted ones that were refused later, of replies.
std::map<std::string, int> rejectedBy(const RunRecord &record);

} // namespace agentic
