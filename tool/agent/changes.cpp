#include "tool/agent/changes.h"

#include "tool/model/ranked_attempts.h"

#include <algorithm>
#include <string>

namespace agentic {
namespace {

/// Returns the id of what this attempt was made from; nullopt: nobody said.
std::optional<std::string> namedParent(const RunState &state, const Attempt &attempt) {
  const bool isTuned = !attempt.evaluation.tuning.empty(); // then its parent is the text with the constants open
  const std::string &proposed = isTuned ? attempt.candidate.parent : attempt.candidate.id;
  for (const Asked &asked : state.asked)
    if (std::ranges::find(asked.candidates, proposed) != asked.candidates.end())
      return asked.ask.parent;
  return isTuned || attempt.candidate.parent.empty() ? std::nullopt : std::optional(attempt.candidate.parent);
}

} // namespace

std::vector<Change> notableChanges(const RunState &state) {
  std::vector<Change> changes;
  const std::vector<RankedAttempt> ranked = rankedAttempts(state);
  std::optional<std::size_t> leader;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    Change change{.attempt = i, .parent = leader};
    if (ranked[i].led)
      leader = i;
    const Evaluation &evaluation = state.attempts[i].evaluation;
    if (evaluation.verdict == Verdict::Rejected || !evaluation.sameCodeAs.empty() || ranked[i].ratio <= 0)
      continue;
    if (const auto named = namedParent(state, state.attempts[i]))
      change.parent = named->empty() ? std::nullopt : attemptOf(state, *named);
    const RankedAttempt base = change.parent ? ranked[*change.parent] : RankedAttempt{.ratio = 1, .low = 1, .high = 1};
    if (base.ratio <= 0 || base.low <= 0 || base.high <= 0)
      continue; // a broken file that was mended
    change.ratio = ranked[i].ratio / base.ratio;
    change.low = ranked[i].low / base.high;
    change.high = ranked[i].high / base.low;
    if (change.ratio >= kNotableGain || change.ratio <= kNotableLoss)
      changes.push_back(change);
  }
  return changes;
}

} // namespace agentic
