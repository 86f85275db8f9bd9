// Tests the strategy with several populations: who belongs where, which cells there are, and what crosses over.
#include "tests/search/asked_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Islands : public testing::Test {
protected:
  /// Answers the next ask with a file of this speed that does this.
  Ask answer(AskedRun &run, double ratio, std::vector<std::string> traits) {
    const Ask ask = run.answer(ratio);
    if (ratio > 0)
      run.state.attempts.back().evaluation.traits = std::move(traits);
    return ask;
  }
};

TEST_F(Islands, PopulationsTakeTurnsAndBeginWithTriesOfTheirOwn) {
  AskedRun run("islands=2/2/100");
  std::vector<int> populations;
  for (const double ratio : {2.0, 3.0, 2.5, 0.0}) {
    const Ask ask = answer(run, ratio, {"compute"});
    EXPECT_EQ(ask.parent, "");
    populations.push_back(ask.population);
    EXPECT_EQ(ask.tried.size(), populations.size() > 2 ? 1u : 0u) << "its own alone";
  }
  EXPECT_THAT(populations, ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(run.answer(0).parent, "c3"); // 2.5 of the first population, not 3 of the second
  EXPECT_EQ(run.answer(0).parent, "c2");
}

TEST_F(Islands, EachIsABranchThatAPersonCanFollow) {
  AskedRun run("islands=2/2/100");
  const AskStrategy strategy = strategyOf("islands=2/2/100");
  EXPECT_TRUE(strategy.row->branches(run.state).empty());
  for (const double ratio : {2.0, 3.0, 0.0, 0.5, 2.5})
    answer(run, ratio, {"compute"});
  const std::vector<SearchBranch> branches = strategy.row->branches(run.state);
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].label, "island 1");
  EXPECT_EQ(branches[0].questions, 3u);
  EXPECT_EQ(branches[0].passed, 2u) << "one was rejected";
  EXPECT_EQ(branches[0].best, 2.5);
  EXPECT_EQ(branches[1].label, "island 2");
  EXPECT_EQ(branches[1].questions, 2u);
  EXPECT_EQ(branches[1].passed, 2u);
  EXPECT_EQ(branches[1].best, 3);
}

TEST_F(Islands, EachOfSeveralAgentsHasOne) {
  AskedRun run("islands=5/1/100");
  const AskStrategy strategy = strategyOf("islands=5/1/100");
  EXPECT_EQ(strategy.next(run.state, 1, 2).population, 1);
  EXPECT_EQ(strategy.next(run.state, 0, 2).population, 0);
}

TEST_F(Islands, TheFastestOfEachCellIsAParentAndOthersAreShownBeside) {
  AskedRun run("islands=1/4/100");
  answer(run, 4, {"compute", "vectors of 64"});
  answer(run, 2, {"memory", "scalar"});
  answer(run, 3, {"compute", "vectors of 64"}); // the cell has a faster one
  answer(run, 1.5, {"compute", "scalar"});
  std::set<std::string> parents, beside;
  for (int i = 0; i < 40; ++i) {
    const Ask ask = answer(run, 0, {});
    ASSERT_TRUE(ask.draw);
    parents.insert(ask.parent);
    ASSERT_EQ(ask.beside.size(), 1u);
    EXPECT_NE(ask.beside[0], ask.parent);
    beside.insert(ask.beside[0]);
  }
  EXPECT_THAT(parents, ElementsAre("c1", "c2", "c4"));
  EXPECT_THAT(beside, ElementsAre("c1", "c2", "c4"));
}

TEST_F(Islands, ThereAreAtMostTwelveCells) {
  AskedRun run("islands=1/26/100");
  for (int i = 0; i < 26; ++i) // 26 cells by both traits, 2 by the first
    answer(run, 2 + 0.1 * i, {i % 2 == 0 ? "compute" : "memory", "kind " + std::to_string(i / 2)});
  std::set<std::string> parents;
  for (int i = 0; i < 30; ++i)
    parents.insert(answer(run, 0, {}).parent);
  EXPECT_THAT(parents, ElementsAre("c25", "c26"));
}

TEST_F(Islands, NowAndThenTheBestOfTheNextPopulationCrossesOver) {
  AskedRun run("islands=2/1/3");
  answer(run, 2, {"compute"});
  answer(run, 3, {"memory"});
  EXPECT_EQ(answer(run, 0, {}).parent, "c1");
  EXPECT_EQ(answer(run, 0, {}).parent, "c2");
  const Ask ask = answer(run, 4, {"memory"}); // the third question of the first population
  EXPECT_EQ(ask.population, 0);
  EXPECT_EQ(ask.parent, "c2");
  EXPECT_THAT(ask.beside, ElementsAre("c1"));
  EXPECT_THAT(ask.tried, IsEmpty()) << "what the other population tried is not told";
  EXPECT_EQ(answer(run, 0, {}).parent, "c5"); // and back: it is the first one's now
}

TEST_F(Islands, WithoutTraitsThereIsOneCell) {
  AskedRun run("islands=1/2/100");
  run.answer(2);
  run.answer(3);
  for (int i = 0; i < 5; ++i) {
    const Ask ask = run.answer(0);
    EXPECT_EQ(ask.parent, "c2");
    EXPECT_THAT(ask.beside, IsEmpty());
  }
}

} // namespace
} // namespace agentic
