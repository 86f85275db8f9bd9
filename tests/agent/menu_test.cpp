#include "tool/agent/menu.h"

#include <gtest/gtest.h>

#include <set>

namespace agentic {
namespace {

const std::string kList =
    "Made it faster:\n\n- 2.00x: blocks\n  of 32\n- 1.50x: a table\n\nMade it slower:\n\n- 0.80x: "
    "prefetches\n";

RunState asked(std::size_t earlier) {
  RunState state;
  state.seed = 7;
  state.asked.resize(earlier);
  state.ask.strategy = "best-of";
  return state;
}

TEST(Menu, IsWholeWithoutDropoutAndInOneConversation) {
  EXPECT_EQ(thinnedMenu(kList, 0, asked(3), "coder"), kList);
  EXPECT_EQ(thinnedMenu(kList, 0.9, RunState(), "coder"), kList);
  EXPECT_EQ(thinnedMenu("", 0.9, asked(0), "coder"), "");
  EXPECT_EQ(thinnedMenu("no list at all\n", 1, asked(0), "coder"), "no list at all\n");
}

TEST(Menu, IsDrawnAnewForEachQuestionAndRoleAndTheSameForTheSame) {
  std::set<std::string> seen;
  for (std::size_t question = 0; question < 40; ++question) {
    const std::string text = thinnedMenu(kList, 0.5, asked(question), "coder");
    EXPECT_EQ(text, thinnedMenu(kList, 0.5, asked(question), "coder"));
    seen.insert(text);
  }
  EXPECT_EQ(seen.size(), 7U) << "every part of three but none of them";
  int others = 0;
  for (std::size_t question = 0; question < 40; ++question)
    others += thinnedMenu(kList, 0.5, asked(question), "coder") != thinnedMenu(kList, 0.5, asked(question), "planner");
  EXPECT_GT(others, 10);
}

TEST(Menu, ItemsAreWholeAndHeadingsGoWithTheLastOfTheirs) {
  const std::set<std::string> possible = {"Made it faster:\n\n- 2.00x: blocks\n  of 32\n",
                                          "Made it faster:\n\n- 1.50x: a table\n\n",
                                          "Made it slower:\n\n- 0.80x: prefetches\n"};
  for (std::size_t question = 0; question < 20; ++question)
    EXPECT_TRUE(possible.contains(thinnedMenu(kList, 1, asked(question), "coder")))
        << "one remains: " << thinnedMenu(kList, 1, asked(question), "coder");
}

TEST(Menu, WhatAFenceHoldsBeginsNoItem) {
  const std::string fenced = "- first:\n````cpp\n- not an item\n```\n- nor this\n````\n", other = "- second\n";
  for (std::size_t question = 0; question < 20; ++question) {
    const std::string text = thinnedMenu(fenced + other, 1, asked(question), "coder");
    EXPECT_TRUE(text == fenced || text == other) << text;
  }
}

} // namespace
} // namespace agentic
