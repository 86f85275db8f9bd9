// Amounts that nobody can owe must not become small ones.
#include "tool/base/money.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace agentic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TEST(Money, WhatIsTooLargeOrNoNumberIsTheMost) {
  for (const double usd : {1e9, 1e11, 1e18, 1e300, kInfinity, kNoNumber}) {
    EXPECT_EQ(nanoUsd(usd), 1'000'000'000'000'000'000) << usd;
    EXPECT_EQ(roundedUpUsd(usd), kMostUsd) << usd;
    for (const double other : {0.0, 1e-9, 5.0, 1e300, kInfinity, kNoNumber}) {
      EXPECT_EQ(sumUsd(usd, other), kMostUsd) << usd << " and " << other;
      EXPECT_EQ(sumUsd(other, usd), kMostUsd) << usd << " and " << other;
    }
  }
  EXPECT_EQ(nanoUsd(-kInfinity), -1'000'000'000'000'000'000);
  EXPECT_EQ(roundedUpUsd(-kInfinity), 0);
}

TEST(Money, SumsAreExactAsFarAsBudgetsGo) {
  EXPECT_EQ(sumUsd(kMostBudgetUsd - 1e-9, 1e-9), kMostBudgetUsd);
  EXPECT_EQ(nanoUsd(kMostBudgetUsd - 1e-9), 999'999'999'999'999);
  EXPECT_EQ(usdText(0.0034), "$0.0034");
  EXPECT_EQ(usdText(1.2), "$1.20");
}

} // namespace
} // namespace agentic
