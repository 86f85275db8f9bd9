// Tests the loop with an evaluator and an agent that are tables: which candidate leads, what ends it, and confirmation.
#include "tool/search/optimize.h"

#include "tests/search/loop_fixture.h"
#include "tool/search/stop_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace agentic {
namespace {

/// Makes proposals like a model's agent.
class ReplyAgent : public Agent {
public:
  explicit ReplyAgent(std::vector<Proposal> proposals) : proposals_(std::move(proposals)) {}
  Result<Proposal> propose(const RunState &state) override {
    states.push_back(state);
    if (states.size() > proposals_.size())
      return interruptedError();
    return proposals_[states.size() - 1];
  }
  std::vector<RunState> states;

private:
  std::vector<Proposal> proposals_;
};

Proposal replyWith(const char *text, int call) {
  return {.candidates = {makeCandidate(text, "model call " + std::to_string(call))}, .call = call};
}
Proposal uselessReply(int call) {
  return {.note = "prose", .call = call, .isUnusable = true};
}

TEST_F(LoopTest, TheBestIsConfirmedAndTheRestCountedByStage) {
  TableEvaluator evaluator({{"a", 2}, {"b", 0}, {"c", 5}, {"d", 0.5}});
  ListAgent agent(Proposals{{"a", "b"}, {"c"}, {"d"}});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Exhausted);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "c");
  EXPECT_EQ(outcome.iterations, 4);
  EXPECT_EQ(outcome.rejected, (std::map<std::string, int>{{"benchmark", 1}, {"test", 1}}));
  EXPECT_EQ(evaluator.confirmed, std::vector<std::string>{"c"});
  EXPECT_EQ(agent.states[1].bestRatio, 2);
  EXPECT_EQ(agent.states.back().incumbent, 2);
}

TEST_F(LoopTest, WhenConfirmFailsTheNextBestIsTried) {
  TableEvaluator evaluator({{"a", 2}, {"c", 5}});
  evaluator.failsConfirm = "c";
  ListAgent agent(Proposals{{"a", "c"}});
  const RunOutcome outcome = run(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "a");
  EXPECT_EQ(outcome.rejected.at("confirm"), 1);
}

TEST_F(LoopTest, IterationBudgetIsExact) {
  TableEvaluator evaluator({{"a", 2}, {"b", 3}, {"c", 4}});
  ListAgent agent(Proposals{{"a", "b", "c"}});
  request_.config.maxIterations = 2;
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Iterations);
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"a", "b"}));
}

TEST_F(LoopTest, OpenConstantsCostTimeAndNoIterations) {
  TableEvaluator evaluator({{"constexpr int k = 1; f(k);", 2}, {"constexpr int k = 2; f(k);", 3}, {"b", 4}});
  ListAgent agent(Proposals{{"AGENTIC_TUNE(k, 1, 2); f(k);", "b"}});
  request_.config.maxIterations = 2;
  EXPECT_EQ(run(evaluator, agent).iterations, 2);
  EXPECT_EQ(evaluator.evaluated.size(), 3u);
}

TEST_F(LoopTest, SpentTimeEndsTheSearchButTheBestIsStillConfirmed) {
  TableEvaluator evaluator({{"a", 2}, {"b", 3}});
  ListAgent agent(Proposals{{"a"}, {"b"}});
  request_.searchSeconds = 100;
  evaluator.onEvaluate = [&] { now_ += 200; };
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Time);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "a");
}

TEST_F(LoopTest, HoweverLittleTimeThereIsTheFirstVariantAndTheBestOpeningAreTried) {
  TableEvaluator evaluator({{"fresh", 2}, {"other", 3}, {"opening", 4}, {"second", 5}});
  ListAgent agent(Proposals{{"opening", "second"}, {"second"}});
  request_.existing = {makeCandidate("fresh", "variant"), makeCandidate("other", "variant")};
  request_.searchSeconds = 0;
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Time);
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"fresh", "opening"}));
  EXPECT_EQ(evaluator.limits, (std::vector<double>{0, 0})); // both to their end
  ASSERT_EQ(agent.states.size(), 1u);
  EXPECT_EQ(agent.states.front().secondsLeft, 0);
}

TEST_F(LoopTest, AnAgentThatOnlyRepeatsIsNotAskedForEver) {
  TableEvaluator evaluator({{"fresh", 2}});
  ListAgent agent(Proposals(9, {"fresh"}));
  request_.existing = {makeCandidate("fresh", "variant")};
  request_.searchSeconds = 0;
  EXPECT_EQ(run(evaluator, agent).reason, StopReason::Time);
  EXPECT_EQ(agent.states.size(), 1u);
}

TEST_F(LoopTest, WhatRunsOutOfOurTimeHasNoVerdict) {
  TableEvaluator evaluator({{"a", 2}, {"slow", 0}, {"b", 3}});
  evaluator.outOfTime = "slow";
  evaluator.onEvaluate = [&] { now_ += 5; };
  ListAgent agent(Proposals{{"a", "slow", "b"}});
  request_.searchSeconds = 100;
  std::vector<std::string> late;
  const RunListener listener = [&](const RunEvent &event) {
    if (const auto *outOfTime = std::get_if<run_event::OutOfTime>(&event))
      late.push_back(outOfTime->candidate.text);
  };
  const RunIdentity identity{"k", "l", "f", "1", "2", "3"};
  std::string directory;
  {
    auto journal = Journal::create(scratch_->path().string(), identity, request_.config);
    ASSERT_TRUE(journal);
    directory = journal->directory();
    auto outcome = runLoop(evaluator, agent, *journal, request_, listener);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->reason, StopReason::Time);
    EXPECT_EQ(outcome->iterations, 1);
    EXPECT_EQ(outcome->rejected, (std::map<std::string, int>{}));
    ASSERT_TRUE(outcome->best);
    EXPECT_EQ(outcome->best->text, "a"); // the accepted one is still confirmed
  }
  EXPECT_EQ(late, std::vector<std::string>{"slow"});
  EXPECT_EQ(evaluator.limits, (std::vector<double>{0, 95}));
  const auto record = readRun(directory);
  ASSERT_TRUE(record);
  ASSERT_EQ(record->pending.size(), 2u);
  EXPECT_EQ(record->pending.front().text, "slow");
}

TEST_F(LoopTest, TheJournalTellsTheWholeTimeOnce) {
  TableEvaluator evaluator({{"a", 2}, {"b", 3}});
  ListAgent agent(Proposals{{"a"}, {"b"}});
  evaluator.onEvaluate = [&] { now_ += 7; };
  now_ = 1020;
  request_.startSeconds = 1000; // 20 s of preparation
  request_.secondsBefore = 300; // by an earlier process
  auto journal = Journal::create(scratch_->path().string(), {"k", "l", "f", "1", "2", "3"}, request_.config);
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->described({}, "", 320));
  ASSERT_TRUE(runLoop(evaluator, agent, *journal, request_, {}));
  EXPECT_EQ(journal->record().iterations.front().seconds, 327);
  EXPECT_EQ(journal->record().secondsUsed, 334);
  EXPECT_EQ(journal->record().searchSeconds, 14);
  EXPECT_EQ(agent.states.back().secondsUsed, 14);
}

TEST_F(LoopTest, ARunWithoutATrySaysWhyAndWhatWouldDo) {
  TableEvaluator evaluator({});
  ListAgent nothing(Proposals{});
  EXPECT_EQ(noWinnerText(run(evaluator, nothing), "--max-seconds 60"),
            "0 candidates tried: the agent has nothing more to try; another --agent may have more to try");
  ReplyAgent poor({{.stop = "the dollar budget is spent"}});
  EXPECT_EQ(noWinnerText(run(evaluator, poor), "--max-seconds 60"),
            "0 candidates tried: the dollar budget is spent; raise that limit (--budget-usd, --max-failures, "
            "--max-seconds 60), or choose another --agent");
  EXPECT_EQ(noWinnerText({.reason = StopReason::Time}, "--max-seconds 60"),
            "0 candidates tried: the time budget is spent; give it more time: --max-seconds 60");
  EXPECT_EQ(noWinnerText({.reason = StopReason::Time, .iterations = 1}, "--max-seconds 60"),
            "no candidate was confirmed faster than the baseline");
  EXPECT_EQ(reasonAndRemedy({.reason = StopReason::Time, .iterations = 1}, ""), "the time budget is spent");
}

TEST_F(LoopTest, InterruptionLeavesTheCandidatePendingForResume) {
  TableEvaluator evaluator({{"a", 2}, {"b", 3}});
  ListAgent agent(Proposals{{"a", "b"}});
  std::atomic<bool> cancelled{false};
  request_.cancelled = &cancelled;
  evaluator.onEvaluate = [&] { cancelled = evaluator.evaluated.size() == 2; };
  const RunIdentity identity{"k", "l", "f", "1", "2", "3"};
  {
    auto journal = Journal::create(scratch_->path().string(), identity, request_.config);
    ASSERT_TRUE(journal);
    auto outcome = runLoop(evaluator, agent, *journal, request_, {});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->reason, StopReason::Interrupted);
    EXPECT_FALSE(outcome->best);
  }
  cancelled = false;
  evaluator.onEvaluate = nullptr;
  auto journal = Journal::resume(scratch_->path().string(), identity);
  ASSERT_TRUE(journal) << journal.error().message;
  auto outcome = runLoop(evaluator, agent, *journal, request_, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->iterations, 2);
  ASSERT_TRUE(outcome->best);
  EXPECT_EQ(outcome->best->text, "b");
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"a", "b", "b"}));
  EXPECT_EQ(evaluator.recalled, (std::vector<std::string>{journal->record().attempts.at(0).candidate.id}));
}

TEST_F(LoopTest, ARunThatEndedWhileItConfirmedBeginsWithThat) {
  TableEvaluator evaluator({{"a", 2}, {"b", 3}, {"c", 4}});
  ListAgent agent(Proposals{{"a", "b"}, {"c"}});
  evaluator.failsConfirm = "b";
  std::atomic<bool> cancelled{false};
  request_.cancelled = &cancelled;
  request_.config.maxIterations = 2;
  evaluator.onConfirm = [&] { cancelled = evaluator.confirmed.size() == 2; };
  const RunIdentity identity{"k", "l", "f", "1", "2", "3"};
  {
    auto journal = Journal::create(scratch_->path().string(), identity, request_.config);
    ASSERT_TRUE(journal);
    auto outcome = runLoop(evaluator, agent, *journal, request_, {});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->reason, StopReason::Interrupted);
    EXPECT_FALSE(outcome->best);
    ASSERT_TRUE(journal->paused(77));
  }
  cancelled = false;
  evaluator.onConfirm = nullptr;
  request_.config.maxIterations = 0; // unlimited, but the search has ended: the agent proposes no more
  auto journal = Journal::resume(scratch_->path().string(), identity);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ(journal->record().secondsUsed, 77);
  auto outcome = runLoop(evaluator, agent, *journal, request_, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->reason, StopReason::EndedBefore);
  ASSERT_TRUE(outcome->best);
  EXPECT_EQ(outcome->best->text, "a");
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(evaluator.confirmed, (std::vector<std::string>{"b", "a", "a"})); // b was refused for good
  EXPECT_EQ(evaluator.confirmAttempts, (std::vector<int>{1, 2, 2}));         // and counts for Holm's correction
}

// Under an emulator a time says nothing: the order is the agent's, and the first that passes is the result.
TEST_F(LoopTest, WhereNothingIsMeasuredTheFirstThatPassesIsTaken) {
  TableEvaluator evaluator({{"wrong", 0}, {"first", 2}, {"second", 5}});
  evaluator.timed = false;
  ListAgent agent(Proposals{{"wrong", "first"}, {"second"}});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Passed);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "first");
  EXPECT_FALSE(outcome.confirmed);
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"wrong", "first"}));
  EXPECT_EQ(evaluator.confirmed, std::vector<std::string>{});
}

TEST_F(LoopTest, WhereNothingIsMeasuredAFreshVariantThatPassesStays) {
  TableEvaluator evaluator({{"fresh", 2}, {"new", 5}});
  evaluator.timed = false;
  request_.existing = {makeCandidate("fresh", "variant")};
  request_.firstIsFresh = true;
  ListAgent agent(Proposals{{"new"}});
  const RunOutcome outcome = run(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->text, "fresh");
  EXPECT_TRUE(outcome.bestIsExisting);
}

TEST_F(LoopTest, ACandidateProposedTwiceIsEvaluatedOnce) {
  TableEvaluator evaluator({{"a", 2}});
  ListAgent agent(Proposals{{"a"}, {"a"}});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.iterations, 1);
}

TEST_F(LoopTest, AReplyWithoutACandidateIsAnIteration) {
  TableEvaluator evaluator({{"a", 2}});
  ReplyAgent agent({uselessReply(1), replyWith("a", 2), uselessReply(3)});
  request_.config.maxIterations = 3;
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Iterations);
  EXPECT_EQ(outcome.iterations, 3);
  EXPECT_EQ(outcome.rejected, (std::map<std::string, int>{{"reply", 2}}));
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(agent.states[1].iterationsLeft, 2);
  EXPECT_EQ(agent.states[2].calls, (std::set<int>{1, 2}));
}

TEST_F(LoopTest, AnAgentMayEndTheRunWithItsReasonAndTheBestIsStillConfirmed) {
  TableEvaluator evaluator({{"a", 2}});
  ReplyAgent agent({replyWith("a", 1), {.stop = "the dollar budget is spent"}});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Agent);
  EXPECT_EQ(stopReasonText(outcome), "the dollar budget is spent");
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(evaluator.confirmed, std::vector<std::string>{"a"});
}

TEST_F(LoopTest, AnInterruptionWhileTheModelIsAskedIsNoError) {
  TableEvaluator evaluator({{"a", 2}});
  ReplyAgent agent({replyWith("a", 1)});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_EQ(outcome.reason, StopReason::Interrupted);
  EXPECT_FALSE(outcome.best);
}

TEST_F(LoopTest, AResumedRunCountsWhatWasRepliedBefore) {
  TableEvaluator evaluator({{"a", 2}, {"b", 0.5}});
  const RunIdentity identity{"k", "l", "f", "1", "2", "3"};
  request_.config.maxIterations = 4;
  {
    ReplyAgent agent({uselessReply(1), replyWith("a", 2)});
    auto journal = Journal::create(scratch_->path().string(), identity, request_.config);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(runLoop(evaluator, agent, *journal, request_, {}));
    ASSERT_EQ(journal->record().iterations.size(), 2u);
    EXPECT_EQ(journal->record().iterations[0].call, 1);
    EXPECT_EQ(journal->record().iterations[1].attempt, 0);
  }
  ReplyAgent agent({uselessReply(3), replyWith("b", 4)});
  auto journal = Journal::resume(scratch_->path().string(), identity);
  ASSERT_TRUE(journal) << journal.error().message;
  auto outcome = runLoop(evaluator, agent, *journal, request_, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->reason, StopReason::Iterations);
  EXPECT_EQ(outcome->rejected.at("reply"), 2);
  EXPECT_EQ(agent.states[0].calls, (std::set<int>{1, 2}));
  EXPECT_EQ(agent.states[0].iterationsLeft, 2);
}

TEST_F(LoopTest, NothingFasterMeansNoBest) {
  TableEvaluator evaluator({{"a", 0.9}, {"b", 0}});
  ListAgent agent(Proposals{{"a", "b"}});
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_FALSE(outcome.best);
  EXPECT_TRUE(evaluator.confirmed.empty());
}

} // namespace
} // namespace agentic
