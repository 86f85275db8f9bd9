#include "tool/agent/energy.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include <cstdlib>
#include <utility>

namespace agentic {
namespace {

constexpr double kMicro = 1e-6;

std::optional<double> numberIn(const fs::path &file) {
  const auto text = readFile(file);
  if (!text || trim(*text).empty())
    return std::nullopt;
  const std::string value(trim(*text));
  char *end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return *end == '\0' && number >= 0 ? std::optional(number) : std::nullopt;
}

/// "intel-rapl:0" is a package; "intel-rapl:0:1" is a part of one.
bool isPackage(const std::string &name) {
  const std::size_t colon = name.find(':');
  return name.starts_with("intel-rapl:") && name.find(':', colon + 1) == std::string::npos;
}

} // namespace

EnergyCounters::EnergyCounters(EnergySources sources)
    : root_(std::move(sources.packages)), last_(readings()), gpus_(sources.gpus) {}

std::map<std::string, double> EnergyCounters::readings() const {
  std::map<std::string, double> result;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(root_, ignored))
    if (isPackage(entry.path().filename().string()))
      if (const auto value = numberIn(entry.path() / "energy_uj"))
        result[entry.path().string()] = *value;
  return result;
}

std::optional<double> EnergyCounters::joulesOfPackages() {
  const std::map<std::string, double> now = readings();
  if (last_.empty() || now.size() != last_.size())
    return std::nullopt;
  double sum = 0;
  for (const auto &[folder, value] : now) {
    const auto before = last_.find(folder);
    if (before == last_.end())
      return std::nullopt;
    double difference = value - before->second;
    if (difference < 0) // the counter began again
      difference += numberIn(fs::path(folder) / "max_energy_range_uj").value_or(0);
    if (difference < 0)
      return std::nullopt;
    sum += difference;
  }
  last_ = now;
  return sum * kMicro;
}

std::optional<double> EnergyCounters::joules() {
  const std::optional<double> packages = joulesOfPackages(), gpus = gpus_.joules();
  if (!packages && !gpus)
    return std::nullopt;
  return packages.value_or(0) + gpus.value_or(0);
}

} // namespace agentic
