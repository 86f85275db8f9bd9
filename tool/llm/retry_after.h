// Reads when a server may be asked again, in each of the forms in use. Pure.
#pragma once

#include "tool/llm/http.h"

#include <cstdint>
#include <optional>

namespace agentic {

/// Returns the seconds from `now` (seconds since 1970): retry-after-ms, Retry-After (seconds or date), or, when a limit
/// is used up, the time of its renewal (x-ratelimit-reset…: "6m0s", "120ms", seconds, or a time in milliseconds).
/// nullopt = not given; never negative. Unreasonable numbers count as not given.
std::optional<double> retryAfterSeconds(const HttpHeaders &headers, std::int64_t now);

/// Parses "1h2m3.5s", "6m0s", "120ms"; a bare number is seconds.
std::optional<double> durationSeconds(std::string_view text);

} // namespace agentic
