#include "tool/model/figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace agentic {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Figures, TimesHaveThreeDigits) {
  EXPECT_EQ(nanoseconds(0), "0.00 ns");
  EXPECT_EQ(nanoseconds(0.5), "0.50 ns");
  EXPECT_EQ(nanoseconds(3.14159), "3.14 ns");
  EXPECT_EQ(nanoseconds(9.996), "10.0 ns");
  EXPECT_EQ(nanoseconds(99.96), "100 ns");
  EXPECT_EQ(nanoseconds(31415.9), "31.4 us");
  EXPECT_EQ(nanoseconds(314.159e6), "314 ms");
  EXPECT_EQ(nanoseconds(2e9), "2.00 s");
  EXPECT_EQ(nanoseconds(1234e9), "1234 s");
}

TEST(Figures, TimesRoundIntoTheNextUnit) {
  EXPECT_EQ(nanoseconds(999.4), "999 ns");
  EXPECT_EQ(nanoseconds(999.9), "1.00 us");
  EXPECT_EQ(nanoseconds(999.9e3), "1.00 ms");
  EXPECT_EQ(nanoseconds(999.9e6), "1.00 s");
}

TEST(Figures, SecondsTurnIntoAClock) {
  EXPECT_EQ(seconds(0.04), "0.0 s");
  EXPECT_EQ(seconds(99.94), "99.9 s");
  EXPECT_EQ(seconds(99.96), "1:39");
  EXPECT_EQ(seconds(119.6), "1:59");
  EXPECT_EQ(seconds(3599.9), "59:59");
  EXPECT_EQ(seconds(3725), "1:02:05");
  EXPECT_EQ(clockText(7.9), "0:07");
  EXPECT_EQ(clockText(-1), "0:00");
}

TEST(Figures, RatiosHaveTheirInterval) {
  EXPECT_EQ(ratioText(1.234), "1.23x");
  EXPECT_EQ(ratioText({.ratio = 14.62, .low = 14.5, .high = 14.714, .isConfirmed = true}), "14.62x [14.50, 14.71]");
  EXPECT_EQ(ratioText({.ratio = 14.62, .low = 14.5, .high = 14.714, .isInterval = true}), "14.62x (estimate)");
  EXPECT_EQ(intervalText({.ratio = 14.62, .low = 14.5, .high = 14.714, .isInterval = true}), "");
}

TEST(Figures, TokensAreWrittenAlikeEverywhere) {
  EXPECT_EQ(tokensText(999), "999");
  EXPECT_EQ(tokensText(12'345), "12.3k");
  EXPECT_EQ(tokensText(999'949), "999.9k");
  EXPECT_EQ(tokensText(999'950), "1.0M");
  EXPECT_EQ(tokensText(1'234'567), "1.2M");
  EXPECT_EQ(tokensText(12'345, 678), "12.3k tokens in, 678 out");
}

TEST(Figures, OfADamagedJournalNothingIsClaimed) {
  for (const double value : {kInf, kNan, 1e300}) {
    EXPECT_EQ(seconds(value), "unknown");
    EXPECT_EQ(nanoseconds(value), "unknown");
    EXPECT_EQ(ratioText(value), "unknown");
  }
}

} // namespace
} // namespace agentic
