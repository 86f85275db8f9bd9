// Why candidates of a run were not taken, counted in one way for everybody who says so. Pure.
#pragma once

#include "tool/model/evaluation.h"
#include "tool/search/journal.h"

#include <map>
#include <string>

namespace agentic {

/// What is not taken of a model's reply without a candidate.
inline constexpr const char *kRejectedReply = "reply";

/// The stage that rejected it; "benchmark" for one that is not faster, the same code and want of time included;
/// "confirm" if that was seen by fresh pairs. Empty: it was accepted.
std::string rejectedBy(const Evaluation &evaluation);

/// How many by what: of those that were evaluated, of accepted ones that were refused later, of replies.
std::map<std::string, int> rejectedBy(const RunRecord &record);

} // namespace agentic
