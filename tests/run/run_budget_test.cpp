// Tests a run's messages about its time: after planning, and when it is over. tests/search/budget_plan_test.cpp tests
// the plan itself as a table.
#include "tool/run/run_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const Calibration kCalibration = {.testSeconds = 0.5, .benchmarkSeconds = 1, .compileSeconds = 0.5, .treeSeconds = 5};

class RunBudgetTest : public testing::Test {
protected:
  void start(const RunConfig &config) { budget_.start(config, isResumed_ ? &before_ : nullptr, cancelled_); }

  std::atomic<bool> cancelled_ = false;
  bool isResumed_ = false;
  RunRecord before_;
  RunBudget budget_;
};

TEST_F(RunBudgetTest, IsShownBeforeTheSearch) {
  start({.maxSeconds = 90, .maxTotalSeconds = 270});
  budget_.plan(kCalibration, false);
  EXPECT_EQ(budget_.searchSeconds(), 90);
  EXPECT_THAT(budget_.planText(), StartsWith("time: preparing "));
  EXPECT_THAT(budget_.planText(), HasSubstr("searching at most 90.0 s, confirming and writing back about "));
  EXPECT_THAT(budget_.planText(), HasSubstr("at most 4:30 in all"));
  EXPECT_THAT(budget_.warning(), IsEmpty());
  EXPECT_EQ(budget_.moreTime(), "--max-seconds 180 --max-total-seconds 540");
  EXPECT_EQ(budget_.measure(), 90);
}

TEST_F(RunBudgetTest, ThatIsTooLittleForTheKernelSaysWhatWouldDo) {
  start({.maxSeconds = 90, .maxTotalSeconds = 95});
  budget_.plan(kCalibration, false);
  EXPECT_THAT(budget_.warning(), StartsWith("95.0 s in all are little for this kernel: preparation took "));
  EXPECT_THAT(budget_.warning(), HasSubstr("--max-total-seconds 1"));
}

TEST_F(RunBudgetTest, ShorteningHasAShareOfTheSearchAndWhatTheRestLeaves) {
  start({.maxSeconds = 80, .maxTotalSeconds = 240});
  budget_.plan(kCalibration, false);
  EXPECT_EQ(budget_.shorteningSeconds(0), 10);
  EXPECT_EQ(budget_.shorteningSeconds(4), 6);
  EXPECT_EQ(budget_.shorteningSeconds(11), 0);
  EXPECT_EQ(budget_.reviewSeconds(4), 6);
  start({.maxSeconds = 80, .maxTotalSeconds = 20}); // less than confirming and writing back take
  budget_.plan(kCalibration, false);
  EXPECT_EQ(budget_.shorteningSeconds(0), 0);
  EXPECT_EQ(budget_.reviewSeconds(0), 0);
  start({.maxSeconds = 0, .maxTotalSeconds = 0});
  EXPECT_EQ(budget_.shorteningSeconds(0), 60);
  EXPECT_EQ(budget_.reviewSeconds(0), kNoTimeLimit);
}

TEST_F(RunBudgetTest, OfAModelHasNoEnd) {
  start({.maxSeconds = 0, .maxTotalSeconds = 0});
  budget_.plan(kCalibration, false);
  EXPECT_FALSE(budget_.isLimited());
  EXPECT_EQ(budget_.searchSeconds(), kNoTimeLimit);
  EXPECT_EQ(budget_.end(), std::nullopt);
  EXPECT_EQ(budget_.measure(), 0);
  EXPECT_THAT(budget_.planText(), IsEmpty());
  EXPECT_THAT(budget_.warning(), IsEmpty());
}

// A benchmark that takes seconds does not hang just because the search is short.
TEST_F(RunBudgetTest, PreparingDoesNotTakeSharesOfAShortSearch) {
  start({.maxSeconds = 0.001, .maxTotalSeconds = 300});
  EXPECT_EQ(budget_.measure(), 100);
}

TEST_F(RunBudgetTest, ThatIsOverWhilePreparingAsksForMoreInAll) {
  start({.maxSeconds = 1, .maxTotalSeconds = 3});
  budget_.prepares("recording calls");
  const Error error = budget_.overError("dot");
  EXPECT_EQ(error.message, "dot: the 3.0 s of --max-total-seconds were over while recording calls, before any "
                           "candidate could be tried");
  EXPECT_EQ(error.next, "give it more time: --max-total-seconds 540 is likely to do");
}

TEST_F(RunBudgetTest, ThatIsOverWhileConfirmingNamesWhatGoesOnWithIt) {
  start({.maxSeconds = 20, .maxTotalSeconds = 60});
  budget_.plan(kCalibration, false);
  budget_.searches();
  budget_.confirms({.id = "abc", .text = "", .origin = "builtin: tile", .parent = ""});
  const Error error = budget_.overError("dot");
  EXPECT_EQ(error.kind, ErrorKind::NoImprovement);
  EXPECT_THAT(error.message,
              StartsWith("dot: the 60.0 s of --max-total-seconds were over while confirming abc (builtin: tile)"));
  EXPECT_THAT(error.message, HasSubstr("nothing was written"));
  EXPECT_THAT(error.next, StartsWith("continue with that: --resume --max-total-seconds "));
}

TEST_F(RunBudgetTest, OfARunThatIsResumedCountsWhatItUsed) {
  isResumed_ = true;
  before_.secondsUsed = 300;
  before_.searchSeconds = 60;
  start({.maxSeconds = 90, .maxTotalSeconds = 270});
  EXPECT_TRUE(budget_.isOver());
  EXPECT_EQ(budget_.left(), 0);
  EXPECT_GE(budget_.used(), 300);
  EXPECT_THAT(budget_.overError("dot").message, HasSubstr("reading the project, before the run could go on"));
  EXPECT_THAT(budget_.overError("dot").next, StartsWith("give it more time: --resume --max-total-seconds "));
}

TEST_F(RunBudgetTest, OfARunFromBeforeThereWasATotalIsAllOfIt) {
  isResumed_ = true;
  before_.secondsUsed = 100;
  before_.searchSeconds = 60;
  start({.maxSeconds = 180});
  budget_.plan(kCalibration, false);
  EXPECT_FALSE(budget_.isOver());
  EXPECT_LE(budget_.left().value_or(1e9), 80);
  EXPECT_LT(budget_.searchSeconds(), 80); // confirming is kept out of it
  EXPECT_EQ(budget_.measure(), 180);
  budget_.searches();
  const Error error = budget_.overError("dot");
  EXPECT_THAT(error.message, StartsWith("dot: the 3:00 of --max-seconds were over while searching"));
  EXPECT_THAT(error.next, StartsWith("continue with that: --resume --max-seconds "));
  EXPECT_THAT(budget_.moreTime(), Not(HasSubstr("total")));
}

} // namespace
} // namespace agentic
