#include "tool/model/agent.h"

#include <memory>
#include <utility>

namespace agentic {

Result<Begun> Agent::begin(const RunState &state, const std::function<void()> &isReady) {
  if (state.isAhead())
    return Begun{.stop = "it waits for the outcomes of what it proposed"};
  auto proposal = std::make_shared<Proposal>(TRY(propose(state)));
  Begun begun;
  begun.flight = ProposalInFlight{.ask = proposal->ask.value_or(Ask()),
                                  .agent = proposal->agent,
                                  .take = [proposal](const RunState &) -> Result<std::optional<Proposal>> {
                                    return std::optional(std::move(*proposal));
                                  }};
  if (isReady)
    isReady();
  return begun;
}

Result<std::optional<Review>> Agent::review(const RunState &, const ReviewQuestion &) {
  return std::nullopt;
}

} // namespace agentic
