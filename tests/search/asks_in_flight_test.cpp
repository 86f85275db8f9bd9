// Tests what strategies ask for while earlier questions are in flight: nothing twice, and nothing that hangs on an
// outcome that is missing.
#include "tests/search/asked_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace agentic {
namespace {

using testing::HasSubstr;

class FlyingRun : public AskedRun {
public:
  using AskedRun::AskedRun;

  /// Asks the next one, if there is one.
  Ask begin() {
    const Ask ask = next();
    if (ask.stop.empty()) {
      state.asked.push_back({.ask = ask, .candidates = {}, .isInFlight = true});
      ++state.inFlight;
    }
    return ask;
  }
  /// The question of this index gets its answer, a candidate without a verdict.
  void isAnswered(std::size_t index) {
    Asked &asked = state.asked.at(index);
    asked.isInFlight = false;
    asked.candidates = {"c" + std::to_string(index)};
    state.waiting.push_back(asked.candidates.front());
    --state.inFlight;
  }
  void isJudged(std::size_t index, double ratio) {
    const std::string id = "c" + std::to_string(index);
    std::erase(state.waiting, id);
    attempt(id, ratio);
  }
};

TEST(AsksInFlight, ABeamsNextRoundWaitsForAllVerdictsOfThisOne) {
  FlyingRun run("beam=2/2/1");
  std::set<int> plans;
  for (int i = 0; i < 4; ++i) {
    const Ask ask = run.begin();
    EXPECT_EQ(ask.stop, "");
    EXPECT_EQ(ask.round, 0);
    plans.insert(ask.plan);
  }
  EXPECT_EQ(plans.size(), 4u);
  EXPECT_THAT(run.next().stop, HasSubstr("waits for the rest"));
  for (std::size_t i = 0; i < 4; ++i)
    run.isAnswered(i);
  EXPECT_THAT(run.next().stop, HasSubstr("waits for the rest"));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_THAT(run.next().stop, HasSubstr("waits for the rest"));
    run.isJudged(i, 2.0 + double(i));
  }
  EXPECT_EQ(run.begin().parent, "c3");
  EXPECT_EQ(run.begin().parent, "c2");
  EXPECT_EQ(run.state.asked.back().ask.round, 1);
}

TEST(AsksInFlight, TheFilesOfAPlanWaitForItsIdea) {
  FlyingRun run("beam=2/1/2");
  EXPECT_EQ(run.begin().plan, 0);
  const Ask second = run.begin();
  EXPECT_EQ(second.plan, 1) << "the next plan need not wait";
  EXPECT_EQ(second.file, 0);
  EXPECT_NE(run.next().stop, "");
  run.isAnswered(1);
  EXPECT_NE(run.next().stop, "");
  run.isJudged(1, 1.5);
  const Ask again = run.begin();
  EXPECT_EQ(again.plan, 1);
  EXPECT_EQ(again.file, 1);
  EXPECT_EQ(again.idea, "c1");
}

TEST(AsksInFlight, TriesOfBestOfAreIndependent) {
  FlyingRun run("best-of=6");
  std::set<int> tries;
  for (int i = 0; i < 6; ++i) {
    const Ask ask = run.begin();
    EXPECT_EQ(ask.parent, "");
    tries.insert(ask.plan);
  }
  EXPECT_EQ(tries.size(), 6u);
  run.isAnswered(0);
  run.isJudged(0, 3);
  EXPECT_EQ(run.begin().parent, "c0") << "the best of those that are there";
}

TEST(AsksInFlight, ATreeDrawsForEachAndSpreads) {
  FlyingRun run("tree=0/100");
  run.begin();
  run.isAnswered(0);
  run.isJudged(0, 2);
  std::set<double> draws;
  std::set<std::string> parents;
  for (int i = 0; i < 6; ++i) {
    const Ask ask = run.begin();
    draws.insert(ask.draw.value_or(-1));
    parents.insert(ask.parent);
  }
  EXPECT_EQ(draws.size(), 6u);
  EXPECT_EQ(parents, (std::set<std::string>{"", "c0"})) << "one in flight makes its parent less attractive";
}

TEST(AsksInFlight, IslandsAreAskedInTurn) {
  FlyingRun run("islands=3/2/9");
  std::vector<int> populations;
  for (int i = 0; i < 6; ++i)
    populations.push_back(run.begin().population);
  EXPECT_EQ(populations, (std::vector<int>{0, 1, 2, 0, 1, 2}));
}

} // namespace
} // namespace agentic
