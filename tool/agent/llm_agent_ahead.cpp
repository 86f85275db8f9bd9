// The calls of an LlmAgent that are in flight beside others.
#include "tool/agent/llm_agent.h"
#include "tool/llm/cassette.h"

#include <algorithm>
#include <utility>

namespace agentic {

bool LlmAgent::isWaiting(const Exchange &exchange, const RunState &state) const {
  return std::ranges::any_of(exchange.candidates, [&](const std::string &id) { return state.isWaiting(id); });
}

/// A model hears of a reply together with its verdict.
std::vector<Exchange> LlmAgent::judgedExchanges(const RunState &state) const {
  std::vector<Exchange> judged;
  for (const Exchange &exchange : exchanges_)
    if (isTaken(exchange, state) && !isWaiting(exchange, state))
      judged.push_back(exchange);
  return judged;
}

/// Limits hold whatever comes of the calls in flight.
std::string LlmAgent::reasonToWait(const RunState &state) const {
  if (!state.waiting.empty() && settings_.isLocal)
    return "its model is asked while nothing is to be measured on this machine";
  const int most = settings_.config.maxFailures;
  const Failures failures = this->failures(state);
  return most > 0 && failures.inARow + failures.open + inFlight_ >= most
             ? "as many tries may have failed as are permitted in a row"
             : "";
}

/// Gives the loop an answer that an earlier process got.
Begun LlmAgent::handedOut(int call, const std::function<void()> &isReady) {
  handedOut_.insert(call);
  ++inFlight_;
  const auto found = std::ranges::find(exchanges_, call, &Exchange::call);
  Begun begun;
  begun.flight = ProposalInFlight{.ask = found->ask.value_or(Ask()),
                                  .take = [this, call](const RunState &state) -> Result<std::optional<Proposal>> {
                                    --inFlight_;
                                    return std::optional(proposalOf(call, state));
                                  }};
  if (isReady)
    isReady();
  return begun;
}

Result<Begun> LlmAgent::begin(const RunState &state, const std::function<void()> &isReady) {
  mailbox_.open();
  readExchanges(state);
  for (const Exchange &exchange : exchanges_)
    if (exchange.call <= lastOfEarlier_ && !isTaken(exchange, state) && !handedOut_.contains(exchange.call))
      return handedOut(exchange.call, isReady);
  for (std::string reason : {reasonToStop(state), reasonToWait(state)})
    if (!reason.empty())
      return Begun{.flight = {}, .stop = std::move(reason)};
  const Form form = this->form();
  auto request = nextRequest(state, judgedExchanges(state));
  if (!request) {
    const Proposal none = TRY(afterFailure(request.error(), false));
    return Begun{.flight = {}, .stop = none.stop};
  }
  auto call = std::make_shared<CallInFlight>(
      *asker_, CallInFlight::Question{.request = std::move(*request),
                                      .ask = state.ask.strategy.empty() ? std::nullopt : std::optional(state.ask),
                                      .secondsLeft = state.secondsLeft,
                                      .cancelled = settings_.cancelled,
                                      .isReady = isReady});
  ++inFlight_;
  Begun begun;
  begun.flight = ProposalInFlight{.ask = state.ask,
                                  .isHere = settings_.isLocal && !model_->name().starts_with(kReplayPrefix),
                                  .take = [this, call, form](const RunState &now) -> Result<std::optional<Proposal>> {
                                    mailbox_.open();
                                    --inFlight_;
                                    readExchanges(now);
                                    const auto &asked = call->result();
                                    if (asked)
                                      return std::optional(proposalOf(*asked, now));
                                    if (mayTakeOtherForm(asked.error(), form))
                                      return std::optional<Proposal>();
                                    return std::optional(TRY(afterFailure(asked.error(), call->isTimeUp())));
                                  }};
  return begun;
}

} // namespace agentic
