// Formats numbers for people: the one place for terminal, Markdown, page and prompts (page/text.js does the same in the
// browser, and a test compares the two). A value that no clock or price can have is "unknown". Pure.
#pragma once

#include "tool/model/call_totals.h"
#include "tool/model/end_to_end.h"
#include "tool/model/measurement.h"

#include <cstdint>
#include <string>

namespace agentic {

std::string seconds(double value);                ///< "1.3 s"; from 100 s on as on a clock
std::string clockText(double seconds);            ///< "0:07", "2:05", "1:02:05"; truncates to seconds
std::string nanoseconds(double value);            ///< "231 ms", "1.00 us": three significant digits
std::string ratioText(double ratio);              ///< "14.62x"
std::string intervalText(const Speedup &speedup); ///< "[14.50, 14.71]"; of an estimate: empty
std::string ratioText(const Speedup &speedup);    ///< "14.62x [14.50, 14.71]", "14.62x (estimate)"

/// "1.24x [1.20, 1.28] (tokens/s of 'app', …)", "no measurable change [0.98, 1.02] (…)", "not measured: …".
std::string endToEndText(const EndToEnd &application);

std::string tokensText(std::int64_t tokens);               ///< "950", "12.3k", "1.2M"
std::string tokensText(std::int64_t in, std::int64_t out); ///< "12.3k tokens in, 567 out"

/// Formats totals: "3 (2 answered) in 1.3 s, 12.3k tokens in, 567 out, $0.0034, 1.20 Wh"; empty if there were no calls.
std::string callsText(const CallTotals &calls);

} // namespace agentic
