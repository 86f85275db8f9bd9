// Tests how a run's wall time is divided: a table, because no part of it reads a clock.
#include "tool/search/budget_plan.h"

#include "tool/model/json.h"

#include <gtest/gtest.h>

namespace agentic {

void PrintTo(const BudgetPlan &plan, std::ostream *out) {
  *out << "search " << plan.searchSeconds << ", reserved " << plan.reservedSeconds << ", needed " << plan.neededTotal;
}

namespace {

constexpr BudgetLimits kUsual = {.searchSeconds = 80, .totalSeconds = 240};
/// The meaning of maxSeconds before there was a total.
constexpr BudgetLimits kOld = {.searchSeconds = 0, .totalSeconds = 180};

struct Row {
  const char *name;
  BudgetLimits limits;
  BudgetState state;
  BudgetPlan plan;
};

const Row kRows[] = {
    {"fresh, prepared warm", kUsual, {.usedSeconds = 2, .afterSeconds = 50}, {80, 50, 0}},
    {"fresh, prepared cold: the search's time is the same",
     kUsual,
     {.usedSeconds = 60, .afterSeconds = 50},
     {80, 50, 0}},
    {"the tree with sanitizers fits, too",
     kUsual,
     {.usedSeconds = 30, .afterSeconds = 50, .extraSeconds = 40},
     {80, 90, 0}},
    {"it does not: the run does without",
     kUsual,
     {.usedSeconds = 60, .afterSeconds = 50, .extraSeconds = 90},
     {80, 50, 0}},
    {"a slow preparation leaves less", kUsual, {.usedSeconds = 140, .afterSeconds = 50}, {50, 50, 270}},
    {"so does the tree with sanitizers",
     kUsual,
     {.usedSeconds = 140, .afterSeconds = 20, .extraSeconds = 40},
     {40, 60, 280}},
    {"resumed: what was searched counts",
     kUsual,
     {.usedSeconds = 110, .searchedSeconds = 45, .afterSeconds = 50},
     {35, 50, 0}},
    {"resumed after its search was spent",
     kUsual,
     {.usedSeconds = 150, .searchedSeconds = 81, .afterSeconds = 50},
     {0, 50, 0}},
    {"resumed with a longer search",
     {200, 600},
     {.usedSeconds = 150, .searchedSeconds = 81, .afterSeconds = 50},
     {119, 50, 0}},
    {"reserve larger than what is left", kUsual, {.usedSeconds = 140, .afterSeconds = 500}, {25, 75, 807}},
    {"nothing is left", kUsual, {.usedSeconds = 250, .afterSeconds = 50}, {0, 0, 380}},
    {"nothing to confirm", kUsual, {.usedSeconds = 60}, {80, 0, 0}},
    {"nothing to confirm, and little left", kUsual, {.usedSeconds = 200}, {40, 0, 280}},
    {"no limit", {}, {.usedSeconds = 5000, .searchedSeconds = 4000, .afterSeconds = 50}, {kNoTimeLimit, 0, 0}},
    {"a search without an end of its own", {0, 240}, {.usedSeconds = 40, .afterSeconds = 50}, {150, 50, 0}},
    {"a search alone is bounded", {80, 0}, {.usedSeconds = 500, .searchedSeconds = 30, .afterSeconds = 50}, {50, 0, 0}},
    {"old meaning, cold", kOld, {.usedSeconds = 30, .afterSeconds = 50}, {100, 50, 0}},
    {"old meaning, resumed: what was searched is part of what was used",
     kOld,
     {.usedSeconds = 100, .searchedSeconds = 70, .afterSeconds = 30},
     {50, 30, 0}},
    {"old meaning, reserve larger than what is left", kOld, {.usedSeconds = 80, .afterSeconds = 90}, {25, 75, 200}},
};

TEST(BudgetPlan, Table) {
  for (const Row &row : kRows)
    EXPECT_EQ(planBudget(row.limits, row.state), row.plan) << row.name;
}

TEST(BudgetPlan, WhatItAsksForWouldDo) {
  for (const Row &row : kRows) {
    if (row.plan.neededTotal == 0)
      continue;
    BudgetLimits limits = row.limits;
    limits.totalSeconds = row.plan.neededTotal;
    const BudgetPlan then = planBudget(limits, row.state);
    EXPECT_EQ(then.neededTotal, 0) << row.name;
    EXPECT_GE(then.reservedSeconds, row.state.afterSeconds) << row.name;
  }
}

TEST(BudgetPlan, AJournalWithoutATotalMeansAllOfTheRun) {
  const auto old = parseJson<RunConfig>(R"({"agent": "builtin", "maxSeconds": 180})", "config");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(limitsOf(*old), kOld);
  EXPECT_EQ(totalOption(*old), "--max-seconds");
  const auto now = parseJson<RunConfig>(R"({"agent": "builtin", "maxSeconds": 80, "maxTotalSeconds": 240})", "config");
  ASSERT_TRUE(now) << now.error().message;
  EXPECT_EQ(limitsOf(*now), kUsual);
  EXPECT_EQ(totalOption(*now), "--max-total-seconds");
  // Written again, it is the same.
  EXPECT_EQ(limitsOf(*parseJson<RunConfig>(dumpJson(*old), "config")), kOld);
}

TEST(BudgetPlan, SeveralSearchesShareTheTimeOfTheCommand) {
  EXPECT_EQ(shareOf(kUsual, 0, 2, 2), (BudgetLimits{40, 120}));
  EXPECT_EQ(shareOf(kUsual, 90, 2, 1), (BudgetLimits{40, 150})); // what the first left over is the second's
  EXPECT_EQ(shareOf(kUsual, 500, 2, 1), (BudgetLimits{40, 1}));
  EXPECT_EQ(shareOf({}, 500, 2, 1), BudgetLimits{});
  EXPECT_EQ(shareOf({80, 0}, 500, 2, 1), (BudgetLimits{40, 0}));
}

} // namespace
} // namespace agentic
