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

RunState AgentSet::ownState(const RunState &state, std::size_t at) const {
  RunState own = state;
  own.calls = standingOf(state, labels_[at]).calls;
  return own;
}

/// `stop`: why it has nothing more, or the error for which it cannot be asked.
void AgentSet::leaves(std::size_t at, const Result<std::string> &stop) {
  active_[at] = false;
  if (!stop)
    failure_ = stop.error();
  const std::string &label = labels_[at];
  const std::string why = !stop ? stop.error().message : stop->empty() ? std::string("nothing more to try") : *stop;
  reasons_.push_back(why.starts_with(label + ": ") ? why : label + ": " + why);
  if (stopped_)
    stopped_(reasons_.back());
}

Result<std::string> AgentSet::whyNobody(const RunState &state) const {
  if (failure_ && state.standings.empty())
    return std::unexpected(*failure_);
  return "all agents have stopped (" + join(reasons_, "; ") + ")";
}

Result<Proposal> AgentSet::propose(const RunState &state) {
  for (std::vector<bool> asked = askable(state); std::ranges::find(asked, true) != asked.end();
       asked = askable(state)) {
    const std::size_t at = nextAgent(labels_, asked, state, choice_);
    Result<std::optional<Proposal>> made = members_[at].agent->propose(ownState(state, at));
    if (auto proposal = TRY(taken(at, std::move(made))))
      return std::move(*proposal);
  }
  Proposal none;
  none.stop = TRY(whyNobody(state));
  return none;
}

/// nullopt: the member has left.
Result<std::optional<Proposal>> AgentSet::taken(std::size_t at, Result<std::optional<Proposal>> proposal) {
  if (!proposal && proposal.error().kind != ErrorKind::User)
    return proposal;
  if (!proposal) {
    leaves(at, std::unexpected(proposal.error()));
    return std::optional<Proposal>();
  }
  if (!*proposal)
    return proposal;
  Proposal &made = **proposal;
  if (made.isStop()) {
    leaves(at, made.stop);
    return std::optional<Proposal>();
  }
  made.agent = labels_[at];
  made.usd = members_[at].usd ? members_[at].usd() : 0;
  return proposal;
}

Result<Begun> AgentSet::begin(const RunState &state, const std::function<void()> &isReady) {
  std::vector<bool> asked = askable(state);
  while (std::ranges::find(asked, true) != asked.end()) {
    const std::size_t at = nextAgent(labels_, asked, state, choice_);
    Result<Begun> begun = members_[at].agent->begin(ownState(state, at), isReady);
    if (!begun && begun.error().kind != ErrorKind::User)
      return begun;
    if (begun && begun->flight) {
      begun->flight->agent = labels_[at];
      begun->flight->take = [this, at, take = std::move(begun->flight->take)](const RunState &now) {
        return taken(at, take(ownState(now, at)));
      };
      return begun;
    }
    if (begun && state.isAhead()) {
      asked[at] = false; // it may begin later
      continue;
    }
    leaves(at, begun ? Result<std::string>(begun->stop) : std::unexpected(begun.error()));
    asked = askable(state);
  }
  if (std::ranges::find(active_, true) != active_.end())
    return Begun{.flight = {}, .stop = "its agents wait for what is ahead"};
  return Begun{.flight = {}, .stop = TRY(whyNobody(state))};
}

Result<std::optional<Review>> AgentSet::review(const RunState &state, const ReviewQuestion &question) {
  std::string author;
  for (const std::string &id : {question.winner.parent, question.winner.id}) // one that was shortened is no attempt
    if (const auto attempt = attemptOf(state, id))
      author = state.attempts[*attempt].agent;
  for (const bool isAuthor : {true, false})
    for (std::size_t at = 0; at < members_.size(); ++at)
      if ((labels_[at] == author) == isAuthor)
        if (auto review = TRY(members_[at].agent->review(ownState(state, at), question)))
          return review;
  return std::nullopt;
}

} // namespace agentic
