// The reviewer of an agent that asks a model: it is asked once the search has ended.
#include "tool/agent/llm_agent.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/base/time_limit.h"

namespace agentic {

Result<std::optional<Review>> LlmAgent::review(const RunState &state, const ReviewQuestion &question) {
  const std::string &stopFile = settings_.config.stopFile;
  if (!roles_ || !roles_->isOn(Role::Reviewer) || (!stopFile.empty() && fs::exists(stopFile)))
    return std::nullopt;
  readExchanges(state);
  const TimeLimit limit(steadySeconds() + state.secondsLeft, settings_.cancelled);
  auto answer = roles_->review(state, namesIn(exchanges_), question, limit.flag());
  if (answer)
    return std::move(*answer);
  const AskFailure &failure = answer.error();
  if (failure.kind == AskFailure::Kind::Records)
    return std::unexpected(failure.records);
  const bool isCancelled = failure.kind == AskFailure::Kind::Model && failure.error.kind == ChatErrorKind::Cancelled;
  if (isCancelled && !limit.isUp())
    return interruptedError();
  if (settings_.note)
    settings_.note("the winner is not reviewed: " + (isCancelled ? "the time for it is up" : failure.error.message));
  return std::nullopt;
}

} // namespace agentic
