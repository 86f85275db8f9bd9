// Tests the loop with a fresh checked-in variant: which candidate replaces it.
#include "tests/search/loop_fixture.h"
#include "tool/search/rejections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace agentic {
namespace {

using FreshVariantTest = LoopTest;

TEST_F(FreshVariantTest, AFreshVariantLeadsAndStaysUnlessBeaten) {
  TableEvaluator evaluator({{"old", 4}, {"a", 2}});
  ListAgent agent(Proposals{{"a"}});
  request_.existing = {makeCandidate("old", "variant")};
  request_.firstIsFresh = true;
  const RunOutcome outcome = run(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_TRUE(outcome.bestIsExisting);
  EXPECT_EQ(evaluator.evaluated.front(), "old");
}

TEST_F(FreshVariantTest, ABetterCandidateReplacesAFreshVariantOnlyAfterASecondDuel) {
  TableEvaluator evaluator({{"old", 2}, {"new", 4}});
  ListAgent agent(Proposals{{"new"}});
  request_.existing = {makeCandidate("old", "variant")};
  request_.firstIsFresh = true;
  const RunOutcome outcome = run(evaluator, agent);
  ASSERT_TRUE(outcome.best);
  EXPECT_FALSE(outcome.bestIsExisting);
  EXPECT_EQ(evaluator.evaluated, (std::vector<std::string>{"old", "new", "new"}));
  EXPECT_EQ(evaluator.duels, (std::vector<std::string>{"new old"})); // measured, whatever code is known
}

// A reader of the journal must find the same winner as the run that wrote it.
TEST_F(FreshVariantTest, ALostSecondDuelIsInTheJournal) {
  TableEvaluator evaluator({{"old", 2}, {"new", 4}});
  evaluator.losesAgain = "new";
  ListAgent agent(Proposals{{"new"}});
  request_.existing = {makeCandidate("old", "variant")};
  request_.firstIsFresh = true;
  const RunOutcome outcome = run(evaluator, agent);
  EXPECT_TRUE(outcome.bestIsExisting);
  EXPECT_EQ(outcome.rejected, (std::map<std::string, int>{{"confirm", 1}}));
  const auto record = readRun(listRuns(scratch_->path().string(), "k").front());
  ASSERT_TRUE(record) << record.error().message;
  ASSERT_TRUE(record->winner);
  EXPECT_EQ(record->winner->candidate.text, "old");
  ASSERT_TRUE(record->refused.contains(makeCandidate("new", "").id));
  EXPECT_THAT(record->refused.at(makeCandidate("new", "").id).detail,
              testing::HasSubstr("the checked-in variant stays"));
  EXPECT_EQ(rejectedBy(*record), outcome.rejected);
}

} // namespace
} // namespace agentic
