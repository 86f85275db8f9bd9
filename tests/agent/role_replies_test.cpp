#include "tool/agent/role_replies.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

ChatReply saying(std::string text, ChatFinish finish = ChatFinish::Stop) {
  ChatReply reply;
  reply.message.text = std::move(text);
  reply.finish = finish;
  return reply;
}

TEST(RoleReplies, PlansWithGainAndReason) {
  const auto plans = readPlans(saying("Here they are.\n"
                                      "PLAN: keep eight sums in registers\nGAIN: 1.5x\nWHY: the additions overlap\n\n"
                                      "**PLAN:** block for L1\n- GAIN: about 2\n  WHY : less traffic\n"
                                      "PLAN: no reason\nGAIN: 3\n"),
                               3);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0].step, "keep eight sums in registers");
  EXPECT_EQ(plans[0].why, "the additions overlap");
  EXPECT_EQ(plans[0].gain, 1.5);
  EXPECT_EQ(plans[1].step, "block for L1");
  EXPECT_EQ(plans[1].gain, 2);
}

TEST(RoleReplies, NoMorePlansThanWereAskedFor) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "PLAN: p\nWHY: w\n";
  EXPECT_EQ(readPlans(saying(text), 2).size(), 2u);
}

TEST(RoleReplies, AGainThatCannotBeIsNone) {
  for (const char *gain : {"a lot", "20 %", "20%", "0", "1e400", "5000", "-"}) {
    const auto plans = readPlans(saying(std::string("PLAN: p\nGAIN: ") + gain + "\nWHY: w\n"), 1);
    ASSERT_EQ(plans.size(), 1u);
    EXPECT_EQ(plans[0].gain, std::nullopt) << gain;
  }
}

TEST(RoleReplies, WhatWasCutIsNoAnswer) {
  EXPECT_TRUE(readPlans(saying("PLAN: p\nWHY: w\n", ChatFinish::Length), 1).empty());
  EXPECT_EQ(readOpinion(saying("VERDICT: wrong\nWHY: n = 0\n", ChatFinish::Refused)).objection, "");
  EXPECT_FALSE(readSummary(saying("<think>TITLE: t\nWHAT: w\nWHY: y\n")));
  EXPECT_TRUE(readSummary(saying("<think>no</think>\nTITLE: t\nWHAT: w\nWHY: y\n")));
}

TEST(RoleReplies, AJudgeObjectsOnlyWithAReason) {
  const auto objection = [](const char *text) { return readOpinion(saying(text)).objection; };
  EXPECT_EQ(objection("VERDICT: wrong\nWHY: n = 3 reads x[4]"), "wrong");
  EXPECT_EQ(objection("VERDICT: Same.\nWHY: it is #2"), "same");
  EXPECT_EQ(objection("VERDICT: keep\nWHY: fine"), "");
  EXPECT_EQ(objection("VERDICT: wrong\n"), "") << "without a reason";
  EXPECT_EQ(objection("VERDICT: wrong\nVERDICT: keep\nWHY: both"), "") << "two verdicts";
  EXPECT_EQ(objection("VERDICT: accept\nWHY: it is great"), "");
  EXPECT_EQ(objection("WHY: wrong"), "");
}

TEST(RoleReplies, ASummaryHasAllOfItsParts) {
  const auto summary = readSummary(saying("TITLE: many sums\nWHAT: sums in lanes\nWHY: no chain\nTITLE: second\n"));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->title, "many sums");
  EXPECT_EQ(summary->what, "sums in lanes");
  EXPECT_EQ(summary->why, "no chain");
  EXPECT_FALSE(readSummary(saying("TITLE: many sums\nWHAT: sums in lanes\n")));
}

TEST(RoleReplies, AResearcherAsksOrHasHypotheses) {
  const ResearchAnswer asks = readResearch(saying("I need more.\nSEARCH: prefix sum\n- **SHOW:** sum8\nSEARCH:\n"
                                                  "SEARCH: two\nSEARCH: one too many\n"));
  EXPECT_TRUE(asks.hypotheses.empty());
  ASSERT_EQ(asks.lookups.size(), kMostLookups);
  EXPECT_FALSE(asks.lookups[0].isByName);
  EXPECT_EQ(asks.lookups[0].words, "prefix sum");
  EXPECT_TRUE(asks.lookups[1].isByName);
  EXPECT_EQ(asks.lookups[2].words, "two");

  const ResearchAnswer knows = readResearch(
      saying("WHY: of nothing\nHYPOTHESIS: many sums\nWHY: no chain\nWHY: second\nGAIN: 1.5x\nRISK: registers\n"
             "SOURCE: lanes\nHYPOTHESIS: without a reason\nGAIN: 9\nSEARCH: too late\n"
             "HYPOTHESIS: blocks\nGAIN: a lot\nWHY: less traffic\n"));
  EXPECT_TRUE(knows.lookups.empty());
  ASSERT_EQ(knows.hypotheses.size(), 2u);
  EXPECT_EQ(knows.hypotheses[0].what, "many sums");
  EXPECT_EQ(knows.hypotheses[0].why, "no chain");
  EXPECT_EQ(knows.hypotheses[0].gain, 1.5);
  EXPECT_EQ(knows.hypotheses[0].risk, "registers");
  EXPECT_EQ(knows.hypotheses[0].source, "lanes");
  EXPECT_EQ(knows.hypotheses[1].what, "blocks");
  EXPECT_EQ(knows.hypotheses[1].gain, std::nullopt);
  EXPECT_EQ(knows.hypotheses[1].risk, "");

  std::string many;
  for (int i = 0; i < 50; ++i)
    many += "HYPOTHESIS: h\nWHY: w\n";
  EXPECT_EQ(readResearch(saying(many)).hypotheses.size(), kMostHypotheses);
  EXPECT_TRUE(readResearch(saying(many, ChatFinish::Length)).hypotheses.empty());
}

TEST(RoleReplies, APlanMayCarryAHypothesisOut) {
  for (const auto &[line, number] : {std::pair("HYPOTHESIS: 2\n", 2),
                                     {"HYPOTHESIS: number 3, in part\n", 3},
                                     {"HYPOTHESIS: none\n", 0},
                                     {"HYPOTHESIS: 17\n", 0},
                                     {"HYPOTHESIS: 99999999999999999999\n", 0},
                                     {"", 0}}) {
    const auto plans = readPlans(saying(std::string("PLAN: p\nWHY: w\n") + line), 1);
    ASSERT_EQ(plans.size(), 1u);
    EXPECT_EQ(plans[0].hypothesis, number) << line;
  }
}

TEST(RoleReplies, TextsAreBoundedLines) {
  const auto summary = readSummary(
      saying("TITLE: " + std::string(5000, 't') + "\nWHAT: a\x1b[31mb\tc\nWHY: " + std::string(5000, 'y') + "\n"));
  ASSERT_TRUE(summary);
  EXPECT_LE(summary->title.size(), kRoleTitleBytes);
  EXPECT_EQ(summary->what, "a [31mb c");
  EXPECT_LE(summary->why.size(), kRoleLineBytes);
}

} // namespace
} // namespace agentic
