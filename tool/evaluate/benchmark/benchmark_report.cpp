#include "tool/evaluate/benchmark/benchmark_report.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace agentic {
namespace {

using nlohmann::json;

std::string text(const json &object, const char *name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isTrue(const json &object, const char *name) {
  auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::optional<double> positive(const json &object, const char *name) {
  auto found = object.find(name);
  if (found == object.end() || !found->is_number())
    return std::nullopt;
  double value = found->get<double>();
  return std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<double> nanosecondsPerUnit(const std::string &unit) {
  if (unit == "ns" || unit.empty())
    return 1;
  if (unit == "us")
    return 1e3;
  if (unit == "ms")
    return 1e6;
  if (unit == "s")
    return 1e9;
  return std::nullopt;
}

bool asksForWallTime(const std::string &name) {
  return name.find("/real_time") != std::string::npos || name.find("/manual_time") != std::string::npos;
}

/// Returns a rate counter's value per iteration: the library divides by the time that the benchmark asked for.
double perIteration(const json &row, const std::string &name, const char *rate, double nanoseconds) {
  const double value = positive(row, rate).value_or(0);
  const double time = positive(row, asksForWallTime(name) ? "real_time" : "cpu_time").value_or(0);
  return value * time * nanoseconds * 1e-9;
}

std::unexpected<BenchmarkReportError> failure(std::string reason, std::string details = {}) {
  return std::unexpected(BenchmarkReportError{std::move(reason), std::move(details)});
}

/// A benchmark may fail in some of its repetitions only: then it has a time as well, and that counts for nothing.
std::unexpected<BenchmarkReportError> errors(std::map<std::string, std::string> messages,
                                             const BenchmarkReport &report) {
  const auto &[name, message] = *messages.begin();
  BenchmarkReportError error{"has a benchmark that reports an error", name + ": " + message};
  for (const std::string &other : benchmarkNames(report))
    if (!messages.contains(other))
      error.others.push_back(other);
  error.messages = std::move(messages);
  return std::unexpected(std::move(error));
}

} // namespace

std::expected<BenchmarkReport, BenchmarkReportError> parseBenchmarkReport(std::string_view reportText) {
  json report = json::parse(reportText, nullptr, false);
  auto rows = report.is_object() ? report.find("benchmarks") : report.end();
  if (!report.is_object() || rows == report.end() || !rows->is_array())
    return failure("wrote a benchmark report that cannot be read");
  BenchmarkReport result;
  std::map<std::string, std::string> messages;
  for (const json &row : *rows) {
    if (!row.is_object())
      return failure("wrote a benchmark report that cannot be read");
    if (text(row, "run_type") == "aggregate")
      continue;
    std::string name = text(row, "run_name").empty() ? text(row, "name") : text(row, "run_name");
    if (isTrue(row, "error_occurred") || isTrue(row, "skipped")) {
      messages.emplace(name, text(row, "error_message") + text(row, "skip_message"));
      continue;
    }
    std::optional<double> unit = nanosecondsPerUnit(text(row, "time_unit"));
    std::optional<double> time = positive(row, "cpu_time"), iterations = positive(row, "iterations");
    if (name.empty() || !unit || !time || !iterations)
      return failure("has a benchmark that reports no CPU time", name);
    BenchmarkSeries &series = result[name];
    series.cpuNs.push_back(*time * *unit);
    series.wallNs.push_back(positive(row, "real_time").value_or(*time) * *unit);
    series.iterations.push_back(*iterations);
    series.bytesPerIteration = perIteration(row, name, "bytes_per_second", *unit);
    series.operationsPerIteration = perIteration(row, name, "FLOPS", *unit);
  }
  if (!messages.empty())
    return errors(std::move(messages), result);
  if (result.empty())
    return failure("reported no benchmark");
  return result;
}

std::vector<std::string> benchmarkNames(const BenchmarkReport &report) {
  std::vector<std::string> names;
  for (const auto &[name, series] : report)
    names.push_back(name);
  return names;
}

WorkOfOtherThreads workOfOtherThreads(const BenchmarkReport &report, double unclaimedSeconds) {
  constexpr double kShare = 0.5;
  WorkOfOtherThreads work;
  double hidden = 0;
  for (const auto &[name, series] : report) {
    double cpu = 0, wall = 0;
    for (std::size_t i = 0; i < series.cpuNs.size(); ++i) {
      cpu += series.cpuNs[i] * series.iterations[i] * 1e-9;
      wall += series.wallNs[i] * series.iterations[i] * 1e-9;
    }
    if (cpu >= kShare * wall)
      continue;
    hidden += wall - cpu;
    (asksForWallTime(name) ? work.byWallTime : work.unseen).insert(name);
  }
  return unclaimedSeconds < kShare * hidden ? WorkOfOtherThreads() : work;
}

WorkOfOtherThreads workInBoth(WorkOfOtherThreads one, const WorkOfOtherThreads &other) {
  std::erase_if(one.byWallTime, [&](const std::string &name) { return !other.byWallTime.contains(name); });
  std::erase_if(one.unseen, [&](const std::string &name) { return !other.unseen.contains(name); });
  return one;
}

void countWallTime(const std::set<std::string> &names, BenchmarkReport &report) {
  for (const std::string &name : names)
    if (const auto found = report.find(name); found != report.end())
      found->second.cpuNs = found->second.wallNs;
}

double claimedSeconds(const BenchmarkReport &report) {
  double seconds = 0;
  for (const auto &[name, series] : report)
    for (std::size_t i = 0; i < series.cpuNs.size(); ++i)
      seconds += series.cpuNs[i] * series.iterations[i] * 1e-9;
  return seconds;
}

} // namespace agentic
