#include "tool/agent/changes.h"

#include "tests/agent/scripted_model.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

using namespace testing_support;

Attempt &addAttempt(RunState &state, const std::string &id, const std::string &parent, Evaluation evaluation) {
  evaluation.candidate = id;
  const bool isBest = evaluation.verdict == Verdict::Accepted;
  state.attempts.push_back({Candidate{id, "text of " + id, "", parent}, std::move(evaluation)});
  if (isBest)
    state.incumbent = state.attempts.size() - 1;
  return state.attempts.back();
}

TEST(NotableChanges, AreThoseThatHelpedOrHurt) {
  RunState state = freshState();
  addAttempt(state, "c1", "", measured(2, true));
  addAttempt(state, "c2", "c1", measured(0.98, false)); // against the best
  addAttempt(state, "c3", "c1", measured(0.5, false));
  addAttempt(state, "c4", "c1", rejectedBy(Stage::Test));
  addAttempt(state, "c5", "c1", measured(0.5, false)).evaluation.sameCodeAs = "c3";
  const std::vector<Change> changes = notableChanges(state);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].attempt, 0u);
  EXPECT_FALSE(changes[0].parent);
  EXPECT_DOUBLE_EQ(changes[0].ratio, 2);
  EXPECT_EQ(changes[1].attempt, 2u);
  EXPECT_EQ(changes[1].parent, std::optional<std::size_t>(0));
  EXPECT_NEAR(changes[1].ratio, 0.5, 1e-9);
  EXPECT_LT(changes[1].low, 0.5);
  EXPECT_GT(changes[1].high, 0.5);
}

TEST(NotableChanges, WithoutAParentTheBestBeforeItIsTheParent) {
  RunState state = freshState();
  addAttempt(state, "c1", "", measured(2, true));
  addAttempt(state, "c2", "", measured(0.5, false));
  const std::vector<Change> changes = notableChanges(state);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[1].parent, std::optional<std::size_t>(0));
}

TEST(NotableChanges, OfAMendedFileTheParentIsThatOfTheQuestion) {
  RunState state = freshState();
  addAttempt(state, "c1", "", measured(2, true));
  addAttempt(state, "c2", "c1", rejectedBy(Stage::Compile));
  addAttempt(state, "c3", "c2", measured(0.5, false));
  state.asked = {{.ask = {.strategy = "beam", .parent = ""}, .candidates = {"c2"}},
                 {.ask = {.strategy = "beam", .parent = "", .fixes = "c2"}, .candidates = {"c3"}}};
  EXPECT_EQ(notableChanges(state).size(), 1u) << "as fast as the baseline";
  state.asked.clear();
  EXPECT_EQ(notableChanges(state).size(), 1u) << "a broken file has no speed";
}

} // namespace
} // namespace agentic
