#include "tool/llm/retry_after.h"

#include "tool/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <curl/curl.h>

namespace agentic {
namespace {

constexpr double kLongestBelievable = 366.0 * 86400;

std::optional<double> believable(double seconds) {
  if (!std::isfinite(seconds) || seconds > kLongestBelievable)
    return std::nullopt;
  return std::max(0.0, seconds);
}

std::string_view headerOf(const HttpHeaders &headers, const std::string &name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : trim(found->second);
}

/// Takes a number from the front.
std::optional<double> takeNumber(std::string_view &text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0)
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<double> plainNumber(std::string_view text) {
  const auto number = takeNumber(text);
  return text.empty() ? number : std::nullopt;
}

/// Parses a number of seconds, or an HTTP date.
std::optional<double> secondsOrDate(std::string_view text, std::int64_t now) {
  if (text.empty())
    return std::nullopt;
  if (const auto seconds = plainNumber(text))
    return believable(*seconds);
  const std::time_t date = curl_getdate(std::string(text).c_str(), nullptr);
  return date < 0 ? std::nullopt : believable(static_cast<double>(date) - static_cast<double>(now));
}

/// Parses a duration from now, or a time in seconds or milliseconds since 1970.
std::optional<double> resetSeconds(std::string_view text, std::int64_t now) {
  if (const auto number = plainNumber(text)) {
    if (*number > 1e12)
      return believable(*number / 1000 - static_cast<double>(now));
    if (*number > 1e9)
      return believable(*number - static_cast<double>(now));
  }
  return durationSeconds(text);
}

} // namespace

std::optional<double> durationSeconds(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const auto number = takeNumber(text);
    if (!number)
      return std::nullopt;
    const auto unit = [&](std::string_view name, double seconds) {
      if (!text.starts_with(name))
        return false;
      text.remove_prefix(name.size());
      total += *number * seconds;
      return true;
    };
    if (text.empty())
      total += *number;
    else if (!unit("ms", 1e-3) && !unit("h", 3600) && !unit("m", 60) && !unit("s", 1) && !unit("d", 86400))
      return std::nullopt;
  }
  return believable(total);
}

std::optional<double> retryAfterSeconds(const HttpHeaders &headers, std::int64_t now) {
  if (const auto milliseconds = plainNumber(headerOf(headers, "retry-after-ms")))
    return believable(*milliseconds / 1000);
  if (const auto asked = secondsOrDate(headerOf(headers, "retry-after"), now))
    return asked;
  std::optional<double> longest;
  for (const char *what : {"-requests", "-tokens", ""}) {
    if (headerOf(headers, std::string("x-ratelimit-remaining") + what) != "0")
      continue;
    const auto reset = resetSeconds(headerOf(headers, std::string("x-ratelimit-reset") + what), now);
    if (reset && (!longest || *reset > *longest))
      longest = reset;
  }
  return longest;
}

} // namespace agentic
