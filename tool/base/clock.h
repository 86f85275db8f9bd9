// Clocks. Durations come from the steady clock; dates are only printed.
#pragma once

#include <string>

namespace agentic {

double steadySeconds();     ///< monotonic, arbitrary origin
double unixSeconds();       ///< since 1970; records keep it to tell the time between two of their lines
std::string utcTimestamp(); ///< "2026-11-20T09:05:11Z"

} // namespace agentic
