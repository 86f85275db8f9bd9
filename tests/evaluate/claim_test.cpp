#include "tool/evaluate/benchmark/claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Measurement claim(double ratio) {
  Measurement result;
  result.comparison = Comparison::Faster;
  result.speedup = {ratio, ratio * 0.99, ratio * 1.01, true};
  return result;
}

Roofline machine() {
  return {"CPU", {{"L1", 32e3, 100e9}, {"memory", 0, 10e9}}, 1e12};
}

TEST(BelowLimit, AsksForTheProjectsLeastSpeedup) {
  const Speedup speedup = claim(1.2).speedup;
  EXPECT_EQ(belowLimit({}, speedup), "");
  EXPECT_EQ(belowLimit({.minSpeedup = 1.2}, speedup), "");
  EXPECT_THAT(belowLimit({.minSpeedup = 1.25}, speedup),
              HasSubstr("1.20 times as fast, and the project asks for 1.25"));
}

TEST(ClaimNeeds, NothingForAnOrdinaryClaim) {
  for (double ratio : {1.05, 2.0, 10.0}) {
    const ClaimNeeds needs = claimNeeds(claim(ratio));
    EXPECT_FALSE(needs.otherLayouts) << ratio;
    EXPECT_FALSE(needs.secondConfirmation) << ratio;
    EXPECT_THAT(reviewNotes(needs), IsEmpty()) << ratio;
  }
}

TEST(ClaimNeeds, OtherLayoutsBelowFivePercent) {
  EXPECT_TRUE(claimNeeds(claim(1.049)).otherLayouts);
  EXPECT_FALSE(claimNeeds(claim(1.049)).secondConfirmation);
}

TEST(ClaimNeeds, ASecondConfirmationAndAReviewAboveTenTimes) {
  const ClaimNeeds needs = claimNeeds(claim(10.1));
  EXPECT_TRUE(needs.secondConfirmation);
  EXPECT_FALSE(needs.otherLayouts);
  EXPECT_THAT(reviewNotes(needs), ElementsAre("claim above 10x: confirmed twice"));
}

TEST(ClaimNeeds, OneBenchmarkOfSeveralMayBeTheSuspect) {
  Measurement mixed = claim(4);
  mixed.benchmarks.resize(2);
  mixed.benchmarks[0].speedup.ratio = 16;
  EXPECT_TRUE(claimNeeds(mixed).secondConfirmation);
}

TEST(ClaimNeeds, MoreBytesThanTheMachineMovesAskForAReview) {
  const Roofline roofline = machine();
  const CompulsoryTraffic possible{1e6, 1e5}, impossible{1e6, 0.9e5}, cached{30e3, 400};
  EXPECT_FALSE(claimNeeds(claim(2), std::vector{possible, cached}, &roofline).secondConfirmation);
  const ClaimNeeds needs = claimNeeds(claim(2), std::vector{possible, impossible, impossible}, &roofline);
  EXPECT_TRUE(needs.secondConfirmation);
  EXPECT_THAT(reviewNotes(needs),
              ElementsAre("claim above bandwidth (111 % of what memory can move): confirmed twice"));
  EXPECT_THAT(claimNeeds(claim(2), std::vector{CompulsoryTraffic{30e3, 200}}, &roofline).review,
              ElementsAre(HasSubstr("the L1 cache")));
}

TEST(ClaimNeeds, UnknownBytesOrBandwidthSayNothing) {
  const Roofline roofline = machine();
  EXPECT_FALSE(claimNeeds(claim(2), std::vector{CompulsoryTraffic{0, 1}, {1e9, 0}}, &roofline).secondConfirmation);
  EXPECT_FALSE(claimNeeds(claim(2), std::vector{CompulsoryTraffic{1e9, 1}}, nullptr).secondConfirmation);
}

TEST(ClaimProblem, EveryFurtherConfirmationMustFindItFaster) {
  std::vector<FurtherConfirmation> confirmations = {{"with 1088 bytes in front of it", claim(1.03), ""},
                                                    {"a second time", claim(1.02), ""}};
  EXPECT_EQ(claimProblem(confirmations), "");
  confirmations[1].measurement->comparison = Comparison::Same;
  confirmations[1].measurement->reason = "no significant difference";
  EXPECT_EQ(claimProblem(confirmations), "not confirmed when measured a second time: no significant difference");
  confirmations[0] = {"with 1088 bytes in front of it", std::nullopt, "the time was up"};
  EXPECT_EQ(claimProblem(confirmations), "measured with 1088 bytes in front of it: the time was up");
  EXPECT_EQ(claimProblem({}), "");
}

TEST(Weakest, IsWhatTheClaimMaySay) {
  const std::vector<FurtherConfirmation> confirmations = {{"a", claim(1.03), ""}, {"b", claim(1.045), ""}};
  EXPECT_DOUBLE_EQ(weakest(claim(1.04), confirmations).speedup.ratio, 1.03);
  EXPECT_DOUBLE_EQ(weakest(claim(1.01), confirmations).speedup.ratio, 1.01);
  EXPECT_DOUBLE_EQ(weakest(claim(1.01), {}).speedup.ratio, 1.01);
}

} // namespace
} // namespace agentic
