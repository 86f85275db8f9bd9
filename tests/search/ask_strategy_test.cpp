// Tests what each strategy asks for next: from which parent, told of what, and when it stops; without any agent.
#include "tests/search/asked_run.h"
#include "tool/search/ask_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(AskStrategyText, HasNumbersOrTheirDefaults) {
  EXPECT_THAT(strategyOf("beam").numbers, ElementsAre(3, 3, 1));
  EXPECT_THAT(strategyOf("beam=4").numbers, ElementsAre(4, 3, 1));
  EXPECT_THAT(strategyOf("beam=4/2/8").numbers, ElementsAre(4, 2, 8));
  EXPECT_THAT(strategyOf("linear").numbers, IsEmpty());
}

TEST(AskStrategyText, AWrongOneIsOneMessageWithTheNextStep) {
  const auto unknown = parseAskStrategy("baem");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean 'beam'?"));
  EXPECT_THAT(unknown.error().next, HasSubstr("beam=width/plans/files"));
  for (const char *wrong : {"beam=", "beam=0", "beam=33", "beam=3/x", "beam=3/3/1/1", "beam=3/", "beam=-1", "linear=1",
                            "beam=99999999999"}) {
    const auto parsed = parseAskStrategy(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_THAT(parsed.error().message, HasSubstr(wrong));
    EXPECT_THAT(parsed.error().next, HasSubstr("write "));
  }
}

TEST(LinearStrategy, LeavesItToTheAgent) {
  AskedRun run("linear");
  EXPECT_EQ(run.next().strategy, "");
  EXPECT_EQ(run.next().stop, "");
}

TEST(BestOfStrategy, TriesDoNotKnowOfEachOtherAndTheBestOfThemIsRefined) {
  AskedRun run("best-of=3");
  for (const double ratio : {2.0, 4.0, 3.0}) {
    const Ask ask = run.answer(ratio);
    EXPECT_EQ(ask.parent, "");
    EXPECT_THAT(ask.tried, IsEmpty());
  }
  EXPECT_EQ(run.answer(0).parent, "c2");
  const Ask again = run.answer(5);
  EXPECT_EQ(again.parent, "c2");
  EXPECT_THAT(again.tried, ElementsAre("c4")) << "what came of it is told";
  EXPECT_EQ(run.next().parent, "c5");
}

TEST(BestOfStrategy, WithoutAnythingFasterItGoesOnTrying) {
  AskedRun run("best-of=2");
  for (const double ratio : {0.0, -1.0, 0.0, 1.001, 0.5})
    EXPECT_EQ(run.answer(ratio).parent, "");
  EXPECT_EQ(run.answer(2).parent, "");
  EXPECT_EQ(run.next().parent, "c6");
}

TEST(BeamStrategy, GoesOnFromTheBestOfEachRoundInTurn) {
  AskedRun run("beam=2/2/1");
  for (const double ratio : {2.0, 0.0, 4.0, 3.0}) {
    const Ask ask = run.answer(ratio);
    EXPECT_EQ(ask.parent, "");
    EXPECT_EQ(ask.round, 0);
  }
  std::vector<std::string> parents;
  for (const double ratio : {1.5, 5.0, 0.0, -1.0}) {
    const Ask ask = run.answer(ratio);
    EXPECT_EQ(ask.round, 1);
    parents.push_back(ask.parent + " " + std::to_string(ask.plan));
  }
  EXPECT_THAT(parents, ElementsAre("c3 0", "c4 0", "c3 1", "c4 1"));
  EXPECT_EQ(run.answer(1).parent, "c6"); // from c4, and now the best
  EXPECT_EQ(run.answer(1).parent, "c3"); // parents stay in the beam while nothing better comes
}

TEST(BeamStrategy, TheParentsOfTheLatestRoundAreBranches) {
  AskedRun run("beam=2/2/1");
  const AskStrategy strategy = strategyOf("beam=2/2/1");
  for (const double ratio : {2.0, 0.0, 4.0, 3.0})
    run.answer(ratio);
  std::vector<SearchBranch> branches = strategy.row->branches(run.state);
  ASSERT_EQ(branches.size(), 1u);
  EXPECT_EQ(branches[0].label, "round 1, from the baseline");
  EXPECT_EQ(branches[0].questions, 4u);
  EXPECT_EQ(branches[0].passed, 3u);
  EXPECT_EQ(branches[0].best, 4);
  for (const double ratio : {1.5, 5.0, 0.0})
    run.answer(ratio);
  branches = strategy.row->branches(run.state);
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].label, "round 2, from c3");
  EXPECT_EQ(branches[0].questions, 2u);
  EXPECT_EQ(branches[0].passed, 1u) << "the other was rejected";
  EXPECT_EQ(branches[0].best, 1.5);
  EXPECT_EQ(branches[1].label, "round 2, from c4");
  EXPECT_EQ(branches[1].questions, 1u);
  EXPECT_EQ(branches[1].best, 5);
}

TEST(BeamStrategy, SaysHowManyPlansAParentHasInARound) {
  AskedRun run("beam=2/2/1");
  for (const double ratio : {2.0, 4.0, 3.0, 0.0})
    EXPECT_EQ(run.answer(ratio).plans, 4) << "of the baseline, which is the only parent";
  EXPECT_EQ(run.next().plans, 2) << "of each of two";
}

/// Answers the last question once more, with its file mended.
void mend(AskedRun &run, double ratio) {
  Asked asked = run.state.asked.back();
  asked.ask.fixes = asked.candidates.front();
  asked.candidates = {"mended" + std::to_string(run.state.asked.size())};
  run.state.asked.push_back(asked);
  run.attempt(asked.candidates.front(), ratio);
}

TEST(AskStrategies, AMendedFileIsNoFurtherQuestion) {
  AskedRun bestOf("best-of=2");
  bestOf.answer(0);
  mend(bestOf, 2);
  EXPECT_EQ(bestOf.answer(0).parent, "") << "the second try";
  EXPECT_EQ(bestOf.next().parent, "mended1");
  AskedRun beam("beam=1/2/1");
  beam.answer(0);
  mend(beam, 3);
  EXPECT_EQ(beam.answer(0).plan, 1);
  EXPECT_EQ(beam.next().parent, "mended1");
  AskedRun islands("islands=2/2/3");
  EXPECT_EQ(islands.answer(0).population, 0);
  mend(islands, 2);
  EXPECT_EQ(islands.next().population, 1);
}

TEST(BeamStrategy, SiblingsAreToldOfEachOther) {
  AskedRun run("beam=1/3/1");
  run.answer(2);
  run.answer(0);
  EXPECT_THAT(run.answer(1.5).tried, ElementsAre("c1", "c2"));
  EXPECT_THAT(run.answer(1.5).tried, IsEmpty()); // of c1
  for (int i = 0; i < 12; ++i)
    run.answer(0);
  EXPECT_EQ(run.next().tried.size(), 8u) << "a request stays bounded";
}

TEST(BeamStrategy, TheFilesOfAPlanShareItsIdeaAndOnlyTheBestOfThemGoesOn) {
  AskedRun run("beam=2/1/2");
  std::vector<std::string> ideas;
  for (const double ratio : {3.0, 4.0, 2.0, 0.0})
    ideas.push_back(run.answer(ratio).idea);
  EXPECT_THAT(ideas, ElementsAre("", "c1", "", "c3"));
  std::set<std::string> parents;
  for (int i = 0; i < 4; ++i)
    parents.insert(run.answer(0).parent);
  EXPECT_THAT(parents, ElementsAre("c2", "c3")); // not c1, though it is faster than c3
}

TEST(BeamStrategy, OneThatIsAsFastAsItsParentDoesNotTakeAPlace) {
  AskedRun run("beam=2/2/1");
  for (const double ratio : {4.0, 0.0, 2.0, 4.02})
    run.answer(ratio);
  std::set<std::string> parents;
  for (int i = 0; i < 2; ++i)
    parents.insert(run.answer(0).parent);
  EXPECT_THAT(parents, ElementsAre("c1", "c3")) << "c4 is c1 once more, as far as can be measured";
}

TEST(BeamStrategy, TheSameObjectCodeIsNoParent) {
  AskedRun run("beam=2/1/1");
  run.answer(4);
  run.answer(3);
  run.state.attempts.back().evaluation.sameCodeAs = "c9";
  EXPECT_EQ(run.answer(0).parent, "c1");
  EXPECT_EQ(run.answer(0).parent, "") << "the baseline, not the copy";
}

TEST(BeamStrategy, WithoutASuccessItStaysWithTheBaseline) {
  AskedRun run("beam=2/2/1");
  for (int i = 0; i < 9; ++i) {
    const Ask ask = run.answer(i % 2 == 0 ? 0 : -1);
    EXPECT_EQ(ask.parent, "");
    EXPECT_EQ(ask.round, i / 4);
  }
}

TEST(BeamStrategy, BeginsWithWhatIsThere) {
  AskedRun run("beam=2/1/1");
  run.attempt("variant", 3);
  EXPECT_EQ(run.answer(0).parent, "variant");
  EXPECT_EQ(run.answer(0).parent, "");
}

TEST(TreeStrategy, LeavesADeadEndThatBeganWell) {
  AskedRun run("tree=0/0");
  run.answer(4);
  EXPECT_EQ(run.next().parent, "c1");
  std::map<std::string, int> asks;
  for (int i = 0; i < 20; ++i)
    ++asks[run.answer(i == 2 ? 3 : 0).parent];
  EXPECT_GT(asks["c1"], 2);
  EXPECT_GT(asks[""], 0);
  EXPECT_GT(asks.size(), 2u);
}

TEST(TreeStrategy, TheBonusAsksWhatWasSeldomAsked) {
  AskedRun run("tree=0/1000");
  for (const double ratio : {4.0, 2.0})
    run.answer(ratio);
  std::map<std::string, int> asks;
  for (int i = 0; i < 30; ++i)
    ++asks[run.answer(0).parent];
  EXPECT_EQ(asks.size(), 3u);
  for (const auto &[parent, count] : asks)
    EXPECT_GT(count, 5) << parent;
}

TEST(TreeStrategy, ADrawChoosesAnyOfThemAndIsWritten) {
  AskedRun run("tree=100/0");
  for (const double ratio : {4.0, 3.0, 2.0})
    run.answer(ratio);
  std::set<std::string> parents;
  std::set<double> draws;
  for (int i = 0; i < 40; ++i) {
    const Ask ask = run.answer(0);
    parents.insert(ask.parent);
    ASSERT_TRUE(ask.draw);
    EXPECT_GE(*ask.draw, 0);
    EXPECT_LT(*ask.draw, 1);
    const std::string choices[] = {"", "c1", "c2", "c3"};
    EXPECT_EQ(ask.parent, choices[static_cast<std::size_t>(*ask.draw * 4)]);
    draws.insert(*ask.draw);
  }
  EXPECT_EQ(parents.size(), 4u);
  EXPECT_EQ(draws.size(), 40u);
  const std::optional<double> before = run.next().draw;
  run.state.seed = 2;
  EXPECT_NE(run.next().draw, before);
}

class EveryStrategy : public testing::TestWithParam<const AskStrategyRow *> {
protected:
  std::string name() const { return std::string(GetParam()->name); }
  bool decides() const { return name() != "linear"; }
};

/// Answers of all kinds, without a pattern.
double answerTo(int i) {
  constexpr double kAnswers[] = {0, 2, -1, 1.5, 0, 2.01, 3, 0.5, 0, 2.5, -1, 3.5, 1, 3.49, 0, 6, 4, 0, 5, 7};
  return kAnswers[i % 20];
}

TEST_P(EveryStrategy, IsAFunctionOfTheState) {
  AskedRun run(name());
  for (int i = 0; i < 50; ++i) {
    const Ask ask = run.next(), again = strategyOf(name()).next(RunState(run.state));
    EXPECT_EQ(ask.parent, again.parent) << i;
    EXPECT_EQ(ask.draw, again.draw);
    EXPECT_EQ(ask.tried, again.tried);
    run.answer(answerTo(i));
    EXPECT_EQ(ask.stop, "") << i;
    EXPECT_EQ(ask.strategy, decides() ? name() : "");
  }
}

/// A parent is the baseline or something that is correct and was measured.
TEST_P(EveryStrategy, GoesOnFromCorrectFiles) {
  AskedRun run(name());
  for (int i = 0; i < 50; ++i) {
    const Ask ask = run.answer(answerTo(i));
    const auto parent = attemptOf(run.state, ask.parent);
    EXPECT_EQ(ask.parent.empty(), !parent);
    if (parent) {
      EXPECT_NE(run.state.attempts[*parent].evaluation.verdict, Verdict::Rejected) << i;
    }
  }
}

TEST_P(EveryStrategy, StopsWhenNothingFasterIsFoundForLong) {
  AskedRun run(name());
  run.answer(0);
  run.answer(2);
  for (int i = 0; i < 59; ++i)
    ASSERT_EQ(run.answer(i % 3 == 0 ? 0 : 1.5).stop, "") << i;
  ASSERT_EQ(run.answer(0).stop, "");
  EXPECT_EQ(run.next().stop, decides() ? "60 questions in a row found nothing faster" : "");
  run.attempt("c62", 3); // the last answer's
  run.state.asked.back().candidates = {"c62"};
  EXPECT_EQ(run.next().stop, "");
}

/// The best setting of open constants has another id than what was proposed.
TEST_P(EveryStrategy, KnowsWhatBecameOfOpenConstants) {
  AskedRun run(name());
  for (int i = 0; i < 20; ++i)
    run.answer(2 + i);
  Attempt &tuned = run.state.attempts.back();
  tuned.evaluation.tuning = "with kTile=8, the best of 3 settings";
  tuned.candidate.parent = tuned.candidate.id;
  tuned.candidate.id = "settled";
  EXPECT_EQ(treeOf(run.state).nodes.at(20).ask, std::optional<std::size_t>(19));
  std::set<std::string> parents;
  for (int i = 0; i < 20; ++i)
    parents.insert(run.answer(0).parent);
  EXPECT_EQ(parents.contains("settled"), decides());
  EXPECT_FALSE(parents.contains("c20"));
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, testing::ValuesIn(allAskStrategies().begin(), allAskStrategies().end()),
                         [](const auto &row) {
                           std::string name(row.param->name);
                           std::erase(name, '-');
                           return name;
                         });

} // namespace
} // namespace agentic
