// Formats for people why a run ended.
#pragma once

#include "tool/search/journal.h"
#include "tool/search/optimize.h"

#include <string>

namespace agentic {

std::string stopReasonText(const RunOutcome &outcome);

/// Like stopReasonText(), but for a run without a single try, which says nothing about the kernel, with a remedy.
/// `moreTime`: the options that give it more time.
std::string reasonAndRemedy(const RunOutcome &outcome, const std::string &moreTime);

/// Returns why there is no winner: "no candidate was …", or "0 candidates tried: " and the reason with its remedy.
std::string noWinnerText(const RunOutcome &outcome, const std::string &moreTime);

/// Returns what an interrupted run keeps for --resume, as the end of a sentence; empty without an incumbent.
std::string keptText(const RunRecord &record);

} // namespace agentic
