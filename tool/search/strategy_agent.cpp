#include "tool/search/strategy_agent.h"

#include <utility>

namespace agentic {

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
  if (!proposal || (proposal->candidates.empty() && !proposal->isUnusable))
    return proposal;
  for (Candidate &candidate : proposal->candidates)
    if (candidate.parent.empty())
      candidate.parent = proposal->ask ? proposal->ask->parent : ask.parent;
  if (!proposal->ask)
    proposal->ask = std::move(ask);
  return proposal;
}

} // namespace agentic
