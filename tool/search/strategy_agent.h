// Puts a strategy before an agent: the agent is told what the strategy asks for.
#pragma once

#include "tool/model/agent.h"
#include "tool/search/ask_strategy.h"

#include <cstddef>
#include <memory>

namespace agentic {

class StrategyAgent : public Agent {
public:
  /// `member` of `members` agents of the run that ask a model: AskContext.
  StrategyAgent(std::unique_ptr<Agent> agent, AskStrategy strategy, std::size_t member = 0, std::size_t members = 1)
      : agent_(std::move(agent)), strategy_(std::move(strategy)), member_(member), members_(members) {}

  /// The agent's proposal, with what it was asked for: the candidates are made from its parent. Stops when the strategy
  /// does.
  Result<Proposal> propose(const RunState &state) override;

  /// What is in flight counts as asked. A strategy that has to wait for an outcome stops until it is there.
  Result<Begun> begin(const RunState &state, const std::function<void()> &isReady) override;

  Result<std::optional<Review>> review(const RunState &state, const ReviewQuestion &question) override {
    return agent_->review(state, question);
  }

private:
  std::unique_ptr<Agent> agent_;
  AskStrategy strategy_;
  std::size_t member_, members_;
};

} // namespace agentic
