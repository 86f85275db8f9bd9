// A proposer takes a candidate back while it is evaluated: the run goes on as if it had not been proposed.
#include "tests/search/loop_fixture.h"

#include "tool/search/withdrawal.h"

namespace agentic {
namespace {

class WithdrawalTest : public LoopTest {
protected:
  std::atomic<bool> cancelled_ = false;
  Withdrawal withdrawal_{cancelled_};
};

TEST_F(WithdrawalTest, OnlyWhatIsInWorkCanBeWithdrawn) {
  EXPECT_FALSE(withdrawal_.withdraw("a"));
  EXPECT_FALSE(withdrawal_.withdraw(""));
  withdrawal_.begins("a");
  EXPECT_FALSE(withdrawal_.withdraw("b"));
  EXPECT_FALSE(*withdrawal_.flag());
  EXPECT_TRUE(withdrawal_.withdraw("a"));
  EXPECT_TRUE(*withdrawal_.flag());
  EXPECT_TRUE(withdrawal_.ends());
  EXPECT_FALSE(*withdrawal_.flag());
  EXPECT_FALSE(withdrawal_.withdraw("a"));
  withdrawal_.begins("b");
  EXPECT_FALSE(withdrawal_.ends());
}

TEST_F(WithdrawalTest, TheRunsOwnFlagIsNeverTakenBack) {
  withdrawal_.begins("a");
  cancelled_ = true;
  EXPECT_FALSE(withdrawal_.ends());
  EXPECT_TRUE(*withdrawal_.flag());
}

TEST_F(WithdrawalTest, AWithdrawnCandidateHasNoVerdictAndMayComeAgain) {
  TableEvaluator evaluator({{"slow", 0.5}, {"fast", 3}});
  int evaluations = 0;
  evaluator.onEvaluate = [&] {
    if (++evaluations == 1) {
      EXPECT_TRUE(withdrawal_.withdraw(makeCandidate("fast", "").id));
    }
  };
  ListAgent agent({{"fast"}, {"slow"}, {"fast"}});
  request_.cancelled = &cancelled_;
  request_.withdrawal = &withdrawal_;
  request_.config.maxIterations = 2;
  auto journal = Journal::create(scratch_->path().string(), {"k", "l", "f", "1", "2", "3"}, request_.config);
  ASSERT_TRUE(journal);
  std::vector<std::string> withdrawn;
  const auto outcome = runLoop(evaluator, agent, *journal, request_, [&](const RunEvent &event) {
    if (const auto *taken = std::get_if<run_event::Withdrawn>(&event))
      withdrawn.push_back(taken->candidate.text);
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(withdrawn, std::vector<std::string>{"fast"});
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"fast", "slow", "fast"}));
  EXPECT_EQ(outcome->iterations, 2);
  ASSERT_TRUE(outcome->best);
  EXPECT_EQ(outcome->best->text, "fast");
  const auto record = readRun(journal->directory());
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->pending.empty());
  EXPECT_EQ(record->attempts.size(), 2U);
}

TEST_F(WithdrawalTest, NobodyTriesItAgainAfterAnInterruption) {
  TableEvaluator evaluator({{"fast", 3}});
  evaluator.onEvaluate = [&] { withdrawal_.withdraw(makeCandidate("fast", "").id); };
  class Leaving : public ListAgent {
  public:
    using ListAgent::ListAgent;
    Result<Proposal> propose(const RunState &state) override {
      if (!states.empty())
        return interruptedError();
      return ListAgent::propose(state);
    }
  } agent({{"fast"}});
  request_.cancelled = &cancelled_;
  request_.withdrawal = &withdrawal_;
  auto journal = Journal::create(scratch_->path().string(), {"k", "l", "f", "1", "2", "3"}, request_.config);
  ASSERT_TRUE(journal);
  const auto outcome = runLoop(evaluator, agent, *journal, request_, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->reason, StopReason::Interrupted);
  const auto record = readRun(journal->directory());
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->pending.empty());
}

} // namespace
} // namespace agentic
