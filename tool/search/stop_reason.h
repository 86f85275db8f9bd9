// Why a run ended, for people.
#pragma once

#include "tool/search/optimize.h"

#include <string>

namespace agentic {

std::string stopReasonText(const RunOutcome &outcome);

/// The same; of a run without a single try, which says nothing of the kernel, with what would do. `moreTime`: the
/// options that give it more time.
std::string reasonAndRemedy(const RunOutcome &outcome, const std::string &moreTime);

/// Why there is no winner: "no candidate was …", or "0 candidates tried: " and the reason with its remedy.
std::string noWinnerText(const RunOutcome &outcome, const std::string &moreTime);

} // namespace agentic
