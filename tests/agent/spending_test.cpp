// Tests that the cap is exact: reservations, refusals, and the amount that a call counts as.
#include "tool/agent/spending.h"

#include "tests/agent/scripted_model.h"
#include "tool/base/money.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing_support::flatPrices;

TEST(Spending, ACallIsSentOnlyIfItsWorstCaseFits) {
  const Spending spending({.budgetUsd = 0.01}, flatPrices(1e-6, 2e-6));
  // 1000 bytes as tokens and 2000 tokens back: 0.001 + 0.004.
  EXPECT_EQ(spending.worstUsd(1000, 2000), 0.005);
  EXPECT_EQ(spending.admit(0, 1000, 2000).value(), 0.005);
  EXPECT_TRUE(spending.admit(0.005, 1000, 2000)); // exactly the budget
  const auto refused = spending.admit(0.005000001, 1000, 2000);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("the dollar budget is spent"));
  EXPECT_THAT(refused.error(), HasSubstr("$0.0050"));
}

TEST(Spending, SumsOfManySmallAmountsAreExact) {
  double sum = 0;
  for (int i = 0; i < 1000000; ++i)
    sum = sumUsd(sum, 1e-6);
  EXPECT_EQ(sum, 1.0);
  EXPECT_EQ(roundedUpUsd(0.1 + 0.2), 0.3);
  EXPECT_EQ(roundedUpUsd(1e-12), 1e-9);
  EXPECT_EQ(roundedUpUsd(-1), 0);
}

TEST(Spending, WritingToTheCacheMayBeTheWorstCase) {
  ModelFacts facts;
  facts.inputUsd = 4e-6, facts.outputUsd = 20e-6, facts.cacheReadUsd = 0.4e-6, facts.cacheWriteUsd = 5e-6;
  const Prices prices = pricesOf(facts);
  EXPECT_EQ(prices.worstUsd(1000, 0), 1000 * 5e-6);
  const ChatUsage usage{
      .freshInput = 10, .cachedInput = 100, .cacheWrite = 20, .output = 30, .reasoning = 25, .isReported = true};
  EXPECT_DOUBLE_EQ(prices.costUsd(usage).value(), 10 * 4e-6 + 100 * 0.4e-6 + 20 * 5e-6 + 30 * 20e-6);
}

TEST(Spending, WhatTheProviderReportsWins) {
  const Spending spending({}, flatPrices(1e-6, 1e-6));
  ChatUsage usage{.freshInput = 1000, .output = 1000, .isReported = true};
  EXPECT_EQ(spending.cost(usage, 1, 0.5).usd, 0.002);
  usage.costUsd = 0.0123;
  EXPECT_EQ(spending.cost(usage, 1, 0.5).usd, 0.0123);
  EXPECT_THAT(spending.cost(usage, 1, 0.5).source, HasSubstr("provider"));
}

TEST(Spending, WithoutUsageAReplyCostsItsReservation) {
  const Spending spending({}, flatPrices(1e-6, 1e-6));
  EXPECT_EQ(spending.cost({}, 1, 0.5).usd, 0.5);
}

TEST(Spending, AReportedCostThatIsNoneCountsAsTheReservation) {
  const Spending spending({}, flatPrices(1e-6, 1e-6));
  ChatUsage usage{.freshInput = 1000, .output = 1000, .isReported = true};
  for (const double usd : {-1.0, -1e-9, -1e300, std::numeric_limits<double>::quiet_NaN()}) {
    usage.costUsd = usd;
    EXPECT_EQ(spending.cost(usage, 1, 0.5).usd, 0.5) << usd;
  }
}

TEST(Spending, AReportedCostBeyondAllBudgetsEndsTheSpending) {
  const Spending spending({.budgetUsd = 5}, flatPrices(1e-6, 1e-6));
  ChatUsage usage{.isReported = true};
  for (const double usd : {9.3e9, 1e11, 1.9e10, 1e300, std::numeric_limits<double>::infinity()}) {
    usage.costUsd = usd;
    const double spent = sumUsd(0.25, spending.cost(usage, 1, 0.5).usd);
    EXPECT_GT(spent, 5) << usd;
    EXPECT_FALSE(spending.admit(spent, 0, 0)) << usd;
  }
}

TEST(Spending, ABudgetThatIsNoneAllowsNothing) {
  for (const double budget : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(Spending({.budgetUsd = budget}, flatPrices(1e-6, 1e-6)).admit(0, 1, 1)) << budget;
}

// For any reports in any order: the spent amount never falls, a call that costs at most its reservation never takes it
// past the budget, and nothing is sent once it is past.
TEST(Spending, HoldsAgainstWhateverIsReported) {
  std::mt19937 random(7);
  const std::vector<double> odd = {0,    -0.0,  -1,     1e-12,  1e9,  9.223372037e9, 1.8446744073709551615e10,
                                   1e11, 1e300, -1e300, 5e-324, 0.25, -9.3e9,        4.999999999};
  for (int run = 0; run < 2000; ++run) {
    const bool isLocal = run % 2 == 0;
    const Spending spending({.budgetUsd = 1.0 + run % 5, .isLocal = isLocal},
                            isLocal ? pricesOf({.isLocal = true}) : flatPrices(1e-4, 1e-4));
    double spent = 0, least = 0;
    for (int call = 0; call < 30; ++call) {
      const auto reserved = spending.admit(spent, random() % 2000, static_cast<int>(random() % 2000), least);
      if (!reserved)
        continue;
      ASSERT_LE(spent, spending.limits().budgetUsd);
      ChatUsage usage{.freshInput = std::int64_t(random() % 2000), .isReported = random() % 3 != 0};
      if (random() % 4 == 0)
        usage.costUsd = random() % 8 == 0 ? std::numeric_limits<double>::quiet_NaN() : odd[random() % odd.size()];
      const bool fails = random() % 4 == 0;
      const double usd = fails ? spending.costOfFailure({.kind = ChatErrorKind::Network}, 1, *reserved).usd
                               : spending.cost(usage, 1, *reserved).usd;
      const double sum = sumUsd(spent, usd);
      ASSERT_GE(usd, 0);
      ASSERT_GE(sum, spent);
      if (usd <= *reserved) {
        ASSERT_LE(sum, spending.limits().budgetUsd);
      } else {
        least = std::max(least, usd);
      }
      spent = sum;
    }
  }
}

TEST(Spending, AProgramThatReportsCostsMayHaveSpentThemWhereItFailsOrIsSilent) {
  const Spending spending({.budgetUsd = 5, .isLocal = true}, pricesOf({.isLocal = true}));
  const ChatError error{.kind = ChatErrorKind::Garbage};
  EXPECT_EQ(spending.costOfFailure(error, 1, 1.5).usd, 1.5);
  EXPECT_EQ(spending.cost({}, 1, 1.5).usd, 1.5);
  EXPECT_EQ(spending.costOfFailure({.kind = ChatErrorKind::Model, .maybeBilled = false}, 1, 1.5).usd, 0)
      << "it was not started";
  EXPECT_EQ(spending.costOfFailure(error, 1, 0).usd, 0) << "it never reported any";
}

TEST(Spending, AFailureThatMayHaveBeenBilledIs) {
  const Spending spending({}, flatPrices(1e-6, 1e-6));
  ChatError error{.kind = ChatErrorKind::Network, .maybeBilled = true};
  EXPECT_EQ(spending.costOfFailure(error, 1, 0.25).usd, 0.25);
  error.maybeBilled = false;
  EXPECT_EQ(spending.costOfFailure(error, 1, 0.25).usd, 0);
}

TEST(Spending, AnUnknownPriceIsRefusedUnlessAllowed) {
  EXPECT_THAT(Spending({}, pricesOf({})).admit(0, 10, 10).error(), HasSubstr("--allow-unknown-price"));
  EXPECT_EQ(Spending({.allowUnknownPrice = true}, pricesOf({})).admit(0, 10, 10).value(), 0);
  // A reported cost still counts.
  ChatUsage usage{.costUsd = 0.75, .isReported = true};
  EXPECT_EQ(Spending({.allowUnknownPrice = true}, pricesOf({})).cost(usage, 1, 0).usd, 0.75);
}

TEST(Spending, ALocalModelCostsItsElectricity) {
  ModelFacts facts;
  facts.isLocal = true;
  const Spending spending({.budgetUsd = 1, .isLocal = true, .watts = 100, .usdPerKwh = 0.3, .callSeconds = 3600},
                          pricesOf(facts));
  EXPECT_EQ(spending.worstUsd(100000, 100000), 0.03); // an hour of 100 W
  const CallCost cost = spending.cost({}, 1800, 0.03);
  EXPECT_EQ(cost.usd, 0.015);
  EXPECT_EQ(cost.wattHours, 50);
  EXPECT_EQ(cost.source, "electricity");
  EXPECT_EQ(spending.costOfFailure({.kind = ChatErrorKind::Network}, 1800, 0.03).usd, 0.015) << "it ran for half of it";
  const Spending free({.budgetUsd = 0, .isLocal = true, .watts = 100}, pricesOf(facts));
  EXPECT_TRUE(free.admit(0, 100000, 100000));
  EXPECT_EQ(free.cost({}, 36, 0).wattHours, 1);
  EXPECT_EQ(free.cost({}, 36, 0).usd, 0);
}

TEST(Spending, ElectricityWithoutWattsHasNoWorstCase) {
  const Prices prices = pricesOf({.isLocal = true});
  const auto refused = Spending({.isLocal = true, .usdPerKwh = 0.3}, prices).admit(0, 1, 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("--watts"));
  EXPECT_TRUE(Spending({.allowUnknownPrice = true, .isLocal = true, .usdPerKwh = 0.3}, prices).admit(0, 1, 1));
  EXPECT_TRUE(Spending({.isLocal = true}, prices).admit(0, 1, 1)) << "nothing counts";
}

class Counters : public testing::Test {
protected:
  void set(const std::string &folder, const std::string &value, const std::string &file = "energy_uj") {
    ASSERT_TRUE(writeFileAtomic(root_.path() / folder / file, value));
  }
  EnergySources sources() const { return {.packages = root_.path().string(), .gpus = {}}; }
  ScratchDirectory root_ = std::move(*ScratchDirectory::create(fs::temp_directory_path(), "powercap"));
};

TEST_F(Counters, SumThePackagesAndNotTheirParts) {
  set("intel-rapl:0", "1000000\n");
  set("intel-rapl:1", "5000000\n");
  set("intel-rapl:0:0", "7\n");
  EnergyCounters counters(sources());
  ASSERT_TRUE(counters.canBeRead());
  set("intel-rapl:0", "3000000\n");
  set("intel-rapl:1", "5500000\n");
  set("intel-rapl:0:0", "900000000\n");
  EXPECT_EQ(counters.joules(), 2.5);
  EXPECT_EQ(counters.joules(), 0);
}

TEST_F(Counters, BeginAgainAtTheirRange) {
  set("intel-rapl:0", "9000000");
  set("intel-rapl:0", "10000000", "max_energy_range_uj");
  EnergyCounters counters(sources());
  set("intel-rapl:0", "500000");
  EXPECT_EQ(counters.joules(), 1.5);
}

TEST_F(Counters, ThatCannotBeReadAreNone) {
  EXPECT_FALSE(EnergyCounters(sources()).canBeRead());
  EXPECT_FALSE(EnergyCounters({.packages = {}, .gpus = {}}).canBeRead());
  set("intel-rapl:0", "secret");
  EXPECT_FALSE(EnergyCounters(sources()).canBeRead());
}

TEST_F(Counters, AreALocalModelsWattHours) {
  set("intel-rapl:0", "0");
  testing_support::ScriptedRun run;
  run.settings.isLocal = true;
  run.settings.prices = pricesOf({.isLocal = true});
  run.settings.config.usdPerKwh = 0.25;
  run.settings.config.allowUnknownPrice = true;
  run.settings.energy = sources();
  run.script->answers = {[this](const ChatRequest &) {
    set("intel-rapl:0", "7200000000"); // 7.2 kJ
    return testing_support::replyOf("nothing");
  }};
  const auto agent = run.agent();
  ASSERT_TRUE(agent->propose(run.state));
  EXPECT_EQ(agent->totals().wattHours, 2);
  EXPECT_EQ(agent->totals().usd, 0.0005);
}

} // namespace
} // namespace agentic
