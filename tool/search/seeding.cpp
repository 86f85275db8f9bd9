#include "tool/search/seeding.h"

#include "tool/model/agent.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace agentic {
namespace {

constexpr int kFewest = 4, kMostPolishes = 12;
constexpr std::size_t kNoGain = 8;
constexpr double kSeedShare = 0.25, kPolishShare = 0.125, kUnlimitedSeconds = 1e8;

struct Stretch {
  std::size_t count = 0, sinceBest = 0;
};

Stretch stretchOf(const RunState &state, std::string_view origin) {
  Stretch stretch;
  for (const Attempt &attempt : state.attempts) {
    if (!attempt.candidate.origin.starts_with(origin))
      continue;
    ++stretch.count;
    stretch.sinceBest = attempt.becameBest ? 0 : stretch.sinceBest + 1;
  }
  return stretch;
}

/// Returns a share of the run's candidates; `unlimited` if there is no limit.
std::size_t shareOfTries(const RunState &state, double share, std::size_t unlimited) {
  if (!state.iterationsLeft)
    return unlimited;
  return std::size_t(std::max(double(kFewest), share * (state.iterations + *state.iterationsLeft)));
}

bool isLate(const RunState &state, double share) {
  return state.secondsLeft < kUnlimitedSeconds && state.secondsLeft < share * (state.secondsUsed + state.secondsLeft);
}

std::size_t mostPolishes(const RunState &state) {
  return std::min<std::size_t>(kMostPolishes, shareOfTries(state, kPolishShare, kMostPolishes));
}

bool isOfTheOthers(const Attempt &attempt) {
  return !attempt.agent.empty() && attempt.agent != kBuiltinAgent;
}

} // namespace

bool isSeeding(const RunState &state) {
  for (const auto &[label, standing] : state.standings)
    if (label != kBuiltinAgent && standing.turns > 0)
      return false;
  const Stretch seeds = stretchOf(state, kBuiltinOrigin);
  return seeds.sinceBest < kNoGain && seeds.count < shareOfTries(state, kSeedShare, SIZE_MAX) &&
         (seeds.count == 0 || !isLate(state, 1 - kSeedShare));
}

bool isPolishing(const RunState &state, bool othersAreDone) {
  const Stretch polishes = stretchOf(state, kPolishOrigin);
  if (polishes.count >= mostPolishes(state) || polishes.sinceBest >= kNoGain)
    return false;
  if (polishes.count > 0)
    return true;
  const Attempt *leader = incumbentOf(state);
  if (!leader || !isOfTheOthers(*leader))
    return false;
  const bool isNearTheEnd = (state.iterationsLeft && std::size_t(*state.iterationsLeft) <= mostPolishes(state)) ||
                            isLate(state, kPolishShare);
  return othersAreDone || isNearTheEnd;
}

} // namespace agentic
