#include "tool/cli/number_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace agentic {
namespace {

constexpr double kMost = 1e12; ///< limit for seconds, watts and the like

/// Reads the whole of `text`.
template <class T> std::optional<T> read(const std::string &text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string isNot(const std::string &value, const std::string &what) {
  return fmt::format("'{}' is not {}", value, what);
}

} // namespace

ValueCheck wholeNumber(std::int64_t least, std::int64_t most) {
  return [=](const std::string &text) {
    const auto value = read<std::int64_t>(text);
    if (value && *value >= least && *value <= most)
      return std::string();
    const bool isTooLarge = value && *value > most;
    return isNot(text, isTooLarge || most != std::numeric_limits<int>::max()
                           ? fmt::format("a whole number from {} to {}", least, most)
                           : fmt::format("a whole number from {}", least));
  };
}

ValueCheck number(double least, double most) {
  return [=](const std::string &text) {
    const auto value = read<double>(text);
    return value && *value >= least && *value <= most // false for a NaN
               ? std::string()
               : isNot(text, fmt::format("a number from {:.10g} to {:.10g}", least, most));
  };
}

ValueCheck numberFromZero() {
  return [](const std::string &text) {
    const auto value = read<double>(text);
    return value && *value >= 0 && *value <= kMost ? std::string() : isNot(text, "a number from 0");
  };
}

ValueCheck numberAboveZero() {
  return [](const std::string &text) {
    const auto value = read<double>(text);
    return value && *value > 0 && *value <= kMost ? std::string() : isNot(text, "a number above 0");
  };
}

} // namespace agentic
