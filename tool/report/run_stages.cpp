#include "tool/report/run_stages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace agentic {
namespace {

constexpr const char *kOther = "other";
constexpr std::array<std::string_view, 16> kOrder = {
    "preparing", kCallsOfModels, "check", "compile", "audit",  "test",    "compile-plain", "differential",
    "benchmark", "insight",      "",      "shorten", "review", "confirm", "write-back",    kOther};

/// Unknown stages come between the stages of a candidate and the end of the run.
std::ptrdiff_t placeOf(const std::string &name) {
  const auto known = std::ranges::find(kOrder, name);
  return (known == kOrder.end() ? std::ranges::find(kOrder, "") : known) - kOrder.begin();
}

} // namespace

std::vector<std::pair<std::string, double>> orderedStages(const std::map<std::string, double> &noted,
                                                          double callSeconds, double wallSeconds) {
  std::vector<std::pair<std::string, double>> stages(noted.begin(), noted.end());
  stages.emplace_back(kCallsOfModels, callSeconds);
  double known = 0;
  for (const auto &[name, seconds] : stages)
    known += seconds;
  stages.emplace_back(kOther, wallSeconds - known);
  std::erase_if(stages, [](const auto &stage) { return !(stage.second > 0); });
  std::ranges::sort(stages, {}, [](const auto &stage) { return std::pair(placeOf(stage.first), stage.first); });
  return stages;
}

} // namespace agentic
