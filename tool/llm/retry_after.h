// When a server wants to be asked again, in each of the forms that are in use. Pure.
#pragma once

#include "tool/llm/http.h"

#include <cstdint>
#include <optional>

namespace agentic {

/// Seconds from `now` (seconds since 1970): retry-after-ms, Retry-After (seconds or date), or, when a limit is used up,
/// when it is renewed (x-ratelimit-reset…: "6m0s", "120ms", seconds, or a time in milliseconds). nullopt = not said;
/// never negative. Unreasonable numbers count as not said.
std::optional<double> retryAfterSeconds(const HttpHeaders &headers, std::int64_t now);

/// "1h2m3.5s", "6m0s", "120ms"; a bare number is seconds.
std::optional<double> durationSeconds(std::string_view text);

} // namespace agentic
