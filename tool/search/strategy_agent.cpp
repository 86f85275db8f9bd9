#include "tool/search/strategy_agent.h"

#include <utility>

namespace agentic {
namespace {

/// The proposal is what came of this ask, unless it says itself of which: an earlier process of the run had asked
/// something else, or it mends what came of another.
void noteAsk(Proposal &proposal, const Ask &ask) {
  if (proposal.isStop())
    return;
  if (!proposal.ask)
    proposal.ask = ask;
  for (Candidate &candidate : proposal.candidates)
    if (candidate.parent.empty())
      candidate.parent = proposal.ask->parent;
}

} // namespace

Result<Proposal> StrategyAgent::propose(const RunState &state) {
  Ask ask = strategy_.next(state, member_, members_);
  if (!ask.stop.empty()) {
    Proposal none;
    none.stop = std::move(ask.stop);
    return none;
  }
  if (ask.strategy.empty())
    return agent_->propose(state);
  RunState own = state;
  own.ask = ask;
  auto proposal = agent_->propose(own);
  if (proposal)
    noteAsk(*proposal, ask);
  return proposal;
}

Result<Begun> StrategyAgent::begin(const RunState &state, const std::function<void()> &isReady) {
  Ask ask = strategy_.next(state, member_, members_);
  if (!ask.stop.empty())
    return Begun{.flight = {}, .stop = std::move(ask.stop)};
  RunState own = state;
  own.ask = ask;
  Begun begun = TRY(agent_->begin(own, isReady));
  if (!begun.flight || ask.strategy.empty())
    return begun;
  ProposalInFlight &flight = *begun.flight;
  if (flight.ask.strategy.empty())
    flight.ask = std::move(ask);
  flight.take = [take = std::move(flight.take),
                 asked = flight.ask](const RunState &now) -> Result<std::optional<Proposal>> {
    auto proposal = TRY(take(now));
    if (proposal)
      noteAsk(*proposal, asked);
    return proposal;
  };
  return begun;
}

} // namespace agentic
