// Time. Durations come from the steady clock; dates are only printed.
#pragma once

#include <string>

namespace agentic {

double steadySeconds();     ///< monotonic, arbitrary origin
double unixSeconds();       ///< since 1970, for records: how far apart two of their lines are
std::string utcTimestamp(); ///< "2026-11-20T09:05:11Z"

} // namespace agentic
