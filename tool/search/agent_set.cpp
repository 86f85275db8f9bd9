#include "tool/search/agent_set.h"

#include "tool/base/text.h"
#include "tool/search/seeding.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace agentic {
namespace {

constexpr int kFirstTurns = 2;
constexpr double kLeastGain = 0.01, kLeastUsdPerTurn = 0.001;

AgentStanding standingOf(const RunState &state, const std::string &label) {
  const auto found = state.standings.find(label);
  return found == state.standings.end() ? AgentStanding() : found->second;
}

double gainPerDollar(const AgentStanding &standing) {
  return (kLeastGain + standing.gain) / (standing.usd + kLeastUsdPerTurn * std::max(1, standing.turns));
}

std::size_t afterLast(const std::vector<std::string> &labels, const std::vector<bool> &active, const RunState &state) {
  const auto last = std::ranges::find(labels, state.lastAgent);
  const std::size_t begin = last == labels.end() ? 0 : static_cast<std::size_t>(last - labels.begin()) + 1;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (const std::size_t at = (begin + i) % labels.size(); active[at])
      return at;
  return 0;
}

} // namespace

std::size_t nextAgent(const std::vector<std::string> &labels, const std::vector<bool> &active, const RunState &state,
                      AgentChoice choice) {
  if (choice == AgentChoice::Turn)
    return afterLast(labels, active, state);
  std::optional<std::size_t> best;
  const auto isBefore = [&](const AgentStanding &a, const AgentStanding &b) {
    const int aFirst = std::min(a.turns, kFirstTurns), bFirst = std::min(b.turns, kFirstTurns);
    if (aFirst != bFirst)
      return aFirst < bFirst;
    const double aWorth = gainPerDollar(a), bWorth = gainPerDollar(b);
    if (aFirst == kFirstTurns && aWorth != bWorth)
      return aWorth > bWorth;
    return a.turns < b.turns;
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (active[i] && (!best || isBefore(standingOf(state, labels[i]), standingOf(state, labels[*best]))))
      best = i;
  return best.value_or(0);
}

AgentSet::AgentSet(std::vector<AgentMember> members, AgentChoice choice,
                   std::function<void(const std::string &why)> stopped)
    : members_(std::move(members)), choice_(choice), stopped_(std::move(stopped)), active_(members_.size(), true) {
  for (const AgentMember &member : members_)
    labels_.push_back(member.label);
}

/// Returns which members' part of the run it is now.
std::vector<bool> AgentSet::askable(const RunState &state) const {
  auto active = [&](AgentPart part) {
    std::vector<bool> these(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      these[i] = active_[i] && members_[i].part == part;
    return these;
  };
  auto isAny = [](const std::vector<bool> &these) { return std::ranges::find(these, true) != these.end(); };
  if (const auto seeds = active(AgentPart::Seed); isAny(seeds) && isSeeding(state))
    return seeds;
  const std::vector<bool> others = active(AgentPart::Turn);
  if (const auto polishers = active(AgentPart::Polish); isAny(polishers) && isPolishing(state, !isAny(others)))
    return polishers;
  return others;
}

Result<Proposal> AgentSet::propose(const RunState &state) {
  std::optional<Error> failure;
  for (std::vector<bool> asked = askable(state); std::ranges::find(asked, true) != asked.end();
       asked = askable(state)) {
    const std::size_t at = nextAgent(labels_, asked, state, choice_);
    AgentMember &member = members_[at];
    RunState own = state;
    own.calls = standingOf(state, member.label).calls;
    auto proposal = member.agent->propose(own);
    if (!proposal && proposal.error().kind != ErrorKind::User)
      return proposal;
    if (proposal && (!proposal->candidates.empty() || proposal->isUnusable)) {
      proposal->agent = member.label;
      proposal->usd = member.usd ? member.usd() : 0;
      return proposal;
    }
    active_[at] = false;
    if (!proposal)
      failure = proposal.error();
    const std::string why = !proposal                ? proposal.error().message
                            : proposal->stop.empty() ? std::string("nothing more to try")
                                                     : proposal->stop;
    reasons_.push_back(why.starts_with(member.label + ": ") ? why : member.label + ": " + why);
    if (stopped_)
      stopped_(reasons_.back());
  }
  if (failure && state.standings.empty())
    return std::unexpected(*failure);
  Proposal none;
  none.stop = "all agents have stopped (" + join(reasons_, "; ") + ")";
  return none;
}

} // namespace agentic
