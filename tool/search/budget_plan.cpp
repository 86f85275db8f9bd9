#include "tool/search/budget_plan.h"

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr double kUsualTotal = 3, kMostReserved = 0.75, kShortest = 1;

double shareOf(double seconds, std::size_t parts) {
  return seconds > 0 ? std::max(kShortest, seconds / double(std::max<std::size_t>(1, parts))) : 0;
}

} // namespace

double usualTotal(double searchSeconds) {
  return kUsualTotal * searchSeconds;
}

BudgetLimits limitsOf(const RunConfig &config) {
  if (!config.maxTotalSeconds)
    return {.searchSeconds = 0, .totalSeconds = config.maxSeconds};
  return {.searchSeconds = config.maxSeconds, .totalSeconds = *config.maxTotalSeconds};
}

std::string totalOption(const RunConfig &config) {
  return config.maxTotalSeconds ? "--max-total-seconds" : "--max-seconds";
}

BudgetLimits shareOf(const BudgetLimits &all, double elapsed, std::size_t searches, std::size_t searchesLeft) {
  const double left = all.totalSeconds > 0 ? std::max(kShortest, all.totalSeconds - elapsed) : 0;
  return {.searchSeconds = shareOf(all.searchSeconds, searches), .totalSeconds = shareOf(left, searchesLeft)};
}

BudgetPlan planBudget(const BudgetLimits &limits, const BudgetState &state) {
  BudgetPlan plan;
  if (limits.searchSeconds > 0)
    plan.searchSeconds = std::max(0.0, limits.searchSeconds - state.searchedSeconds);
  if (limits.totalSeconds <= 0)
    return plan;
  const double left = std::max(0.0, limits.totalSeconds - state.usedSeconds);
  const double most = kMostReserved * left, all = state.afterSeconds + state.extraSeconds;
  plan.reservedSeconds = all <= most ? all : std::min(state.afterSeconds, most);
  const double wanted = plan.searchSeconds;
  plan.searchSeconds = std::min(wanted, left - plan.reservedSeconds);
  // Without a limit of its own the search takes all of the rest, as long as the work after it has enough.
  const bool isCut = limits.searchSeconds > 0 && plan.searchSeconds < wanted;
  const double kept = std::max(state.afterSeconds, plan.reservedSeconds);
  if (isCut || kept > plan.reservedSeconds)
    plan.neededTotal = std::ceil(state.usedSeconds + std::max(isCut ? wanted + kept : 0, kept / kMostReserved));
  return plan;
}

} // namespace agentic
