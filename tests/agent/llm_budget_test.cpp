// Tests the agent's budget: which requests it refuses, and how it handles programs that spend money themselves.
#include "tests/agent/scripted_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// A program in a model's place: only it knows what it spends.
struct CommandRun : ScriptedRun {
  explicit CommandRun(double budgetUsd) {
    settings.isLocal = true;
    settings.prices = pricesOf({.isLocal = true});
    settings.energy = {.packages = {}, .gpus = {}};
    settings.config.budgetUsd = budgetUsd;
  }
  /// Sets its next answer and the cost that it reports for that.
  void answers(const std::string &text, double usd) {
    script->answers.push_back([text, usd](const ChatRequest &) {
      ChatReply reply = replyOf(replyWith(text));
      reply.usage.costUsd = usd;
      return reply;
    });
  }
};

/// Returns why it stopped; all of its proposals until then have failed.
std::string untilItStops(CommandRun &run, LlmAgent &agent) {
  for (;;) {
    const auto proposal = agent.propose(run.state);
    if (!proposal) {
      ADD_FAILURE() << proposal.error().message;
      return {};
    }
    run.take(*proposal, failing);
    if (!proposal->stop.empty())
      return proposal->stop;
  }
}

TEST(LlmBudget, TheBudgetIsNeverPassed) {
  ScriptedRun run;
  run.settings.config.maxOutputTokens = 1000;
  run.settings.config.budgetUsd = 0.03;
  for (int i = 0; i < 100; ++i)
    run.script->answers.push_back(says(replyWith("x[0] = " + std::to_string(i) + ";")));
  const auto agent = run.agent();
  std::string stop;
  while (stop.empty()) {
    const auto proposal = agent->propose(run.state);
    ASSERT_TRUE(proposal) << proposal.error().message;
    stop = proposal->stop;
    run.take(*proposal, [](const Candidate &) { return measured(0.9, false); });
    ASSERT_LE(agent->totals().usd, 0.03);
  }
  EXPECT_THAT(stop, HasSubstr("the dollar budget is spent"));
  EXPECT_GT(run.script->requests.size(), 5u);
}

TEST(LlmBudget, ACommandThatReportsItsCostsIsStoppedByThem) {
  CommandRun run(0.06);
  for (int i = 1; i < 9; ++i)
    run.answers("x[0] = " + std::to_string(i) + ";", 0.01 * i);
  const auto agent = run.agent();
  const std::string stop = untilItStops(run, *agent);
  EXPECT_EQ(run.script->requests.size(), 3u);
  EXPECT_EQ(agent->totals().usd, 0.06);
  EXPECT_THAT(stop, HasSubstr("the next call may cost $0.03"));
}

TEST(LlmBudget, ACommandIsToldWhatIsLeftAndEndsTheRunIfItSpendsMore) {
  CommandRun run(1);
  std::vector<std::string> said;
  run.settings.warn = [&](const std::string &line) { said.push_back(line); };
  for (const double usd : {0.25, 3.0})
    run.answers("x[0] = " + std::to_string(usd) + ";", usd);
  const auto agent = run.agent();
  const std::string stop = untilItStops(run, *agent);
  ASSERT_EQ(run.script->requests.size(), 2u);
  EXPECT_DOUBLE_EQ(run.script->requests[0].budgetUsd.value_or(-1), 1);
  EXPECT_DOUBLE_EQ(run.script->requests[1].budgetUsd.value_or(-1), 0.75);
  EXPECT_THAT(stop, HasSubstr("the dollar budget is spent"));
  EXPECT_THAT(said, testing::Contains(HasSubstr("the call cost $3.00, more than the $0.75 that were left")));
}

// It spends and fails: the known cost of one call counts, or it would be called for ever.
TEST(LlmBudget, ACommandThatFailsIsStoppedByWhatItReportedBefore) {
  CommandRun run(5);
  run.settings.retry = [](const ChatError &, int n) { return n < 30 ? std::optional(0.0) : std::nullopt; };
  std::vector<std::string> notes;
  run.settings.note = [&](const std::string &line) { notes.push_back(line); };
  run.answers("x[0] = 1;", 1);
  for (int i = 0; i < 20; ++i)
    run.script->answers.push_back(fails(ChatErrorKind::Garbage));
  const auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  const auto last = agent->propose(run.state);
  ASSERT_TRUE(last) << last.error().message;
  EXPECT_THAT(last->stop, HasSubstr("the dollar budget is spent"));
  EXPECT_EQ(run.script->requests.size(), 5u);
  EXPECT_EQ(agent->totals().usd, 5);
  EXPECT_THAT(notes, testing::Each(HasSubstr("again in 0 s")));
  EXPECT_EQ(notes.size(), 4u);
}

TEST(LlmBudget, WhatEarlierRunsOfTheCommandSpentIsGone) {
  CommandRun run(5);
  run.settings.spentElsewhere = [] { return 4.0; };
  for (int i = 0; i < 2; ++i)
    run.script->answers.push_back([i](const ChatRequest &request) {
      ChatReply reply = replyOf(replyWith("x[0] = " + std::to_string(i) + ";"));
      reply.usage.costUsd = request.budgetUsd;
      return reply;
    });
  const auto agent = run.agent();
  run.take(*agent->propose(run.state), failing);
  EXPECT_EQ(agent->totals().usd, 1);
  EXPECT_THAT(agent->propose(run.state)->stop, HasSubstr("the dollar budget is spent: $5.00 of $5.00"));
}

TEST(LlmBudget, ABudgetBelowOneCallIsAnError) {
  ScriptedRun run;
  run.settings.config.budgetUsd = 0.001;
  const auto proposal = run.agent()->propose(run.state);
  ASSERT_FALSE(proposal);
  EXPECT_THAT(proposal.error().message, HasSubstr("the dollar budget is spent"));
  EXPECT_TRUE(run.script->requests.empty());
}

} // namespace
} // namespace agentic
