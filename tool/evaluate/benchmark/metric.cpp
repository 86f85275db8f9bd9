#include "tool/evaluate/benchmark/metric.h"

#include "tool/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <optional>
#include <regex>
#include <vector>

namespace agentic {
namespace {

using nlohmann::json;

struct Found {
  std::string number, line;
};
using Searched = std::expected<Found, MetricError>;

// std::regex needs stack for each character of a match.
constexpr std::size_t kLongestLine = 4096, kShown = 100;

std::string shortened(std::string_view line) {
  return line.size() <= kShown ? std::string(line) : std::string(line.substr(0, kShown)) + "…";
}

std::unexpected<MetricError> problem(std::string reason, std::string details = {}) {
  return std::unexpected(MetricError{std::move(reason), std::move(details)});
}

Searched searchByRegex(const Metric &metric, std::string_view output) {
  const std::string &pattern = metric.pattern, &option = metric.option;
  try {
    const std::regex regex(pattern);
    if (regex.mark_count() != 1)
      return problem(fmt::format("cannot be read: {} '{}' has {} groups, and one group marks the number", option,
                                 pattern, regex.mark_count()));
    std::vector<Found> all;
    for (const std::string &line : split(output, '\n')) {
      if (line.size() > kLongestLine)
        continue;
      for (std::sregex_iterator match(line.begin(), line.end(), regex), end; match != end; ++match)
        all.push_back({match->str(1), shortened(line)});
    }
    if (all.empty())
      return problem(fmt::format("printed nothing that {} '{}' matches", option, pattern));
    if (all.size() > 1)
      return problem(
          fmt::format("printed {} matches of {} '{}', and one number is measured", all.size(), option, pattern),
          fmt::format("'{}', '{}'", all[0].line, all[1].line));
    return all.front();
  } catch (const std::regex_error &) {
    return problem(fmt::format("cannot be read: {} '{}' is no regular expression", option, pattern));
  }
}

/// The output may have other lines around the JSON text.
json documentIn(std::string_view output) {
  const std::size_t begin = output.find_first_of("{["), end = output.find_last_of("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    return json(json::value_t::discarded);
  return json::parse(output.substr(begin, end + 1 - begin), nullptr, false);
}

Searched searchByPointer(const Metric &metric, std::string_view output) {
  const std::string &pattern = metric.pattern;
  const json document = documentIn(output);
  if (document.is_discarded())
    return problem(fmt::format("printed no JSON, in which {} '{}' could be found", metric.option, pattern));
  try {
    const json &value = document.at(json::json_pointer(pattern));
    if (!value.is_number())
      return problem(fmt::format("has no number at '{}' of its JSON", pattern));
    return Found{value.dump(), pattern + ": " + value.dump()};
  } catch (const json::exception &) {
    return problem(fmt::format("has nothing at '{}' of its JSON", pattern));
  }
}

std::optional<double> nanoseconds(double value, const std::string &unit) {
  for (const auto &[name, factor] : {std::pair{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}})
    if (unit == name)
      return value * factor;
  if (unit.size() > 2 && unit.ends_with("/s"))
    return 1e9 / value;
  return std::nullopt;
}

} // namespace

std::expected<MetricValue, MetricError> readMetric(const Metric &metric, std::string_view output) {
  const Searched found =
      metric.pattern.starts_with("/") ? searchByPointer(metric, output) : searchByRegex(metric, output);
  if (!found)
    return std::unexpected(found.error());
  double value = 0;
  const char *end = found->number.data() + found->number.size();
  const auto [rest, error] = std::from_chars(found->number.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value) || !(value > 0))
    return problem("printed what is no positive number",
                   fmt::format("'{}' in the line '{}'", shortened(found->number), found->line));
  const std::optional<double> ns = nanoseconds(value, metric.unit);
  if (!ns || !std::isfinite(*ns) || !(*ns > 0))
    return problem(fmt::format("cannot be read: '{}' in {} is neither a time nor something per second", metric.unit,
                               metric.option));
  return MetricValue{*ns, found->number + " " + metric.unit, found->line};
}

} // namespace agentic
