// Tests the laboratory of strategies itself: the same seed gives the same run, luck is shared by strategies, and the
// simulated models do what the table says. What it finds is a report (strategies_cost), and no test.
#include "tests/cost/strategies/laboratory.h"
#include "tests/cost/strategies/memory_laboratory.h"

#include "tool/base/files.h"
#include "tool/memory/change_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace agentic::cost {
namespace {

std::vector<FittedModel> models() {
  auto all = readFittedModels(AGENTIC_FITTED_MODELS);
  EXPECT_TRUE(all) << all.error().message;
  return all.value_or(std::vector<FittedModel>());
}

AskStrategy strategy(std::string_view name) {
  return parseAskStrategy(name).value();
}

TEST(FittedModels, HalfAreForFittingAndSharesAreShares) {
  int files = 0, forFitting = 0;
  for (const FittedModel &model : models()) {
    files += model.files;
    forFitting += model.isForFitting ? 1 : 0;
    for (const double share : {model.compiles, model.correct, model.afterCorrect, model.afterFailure, model.again}) {
      EXPECT_GE(share, 0) << model.name;
      EXPECT_LE(share, 1) << model.name;
    }
    EXPECT_LE(model.correct, model.compiles) << model.name;
    EXPECT_GE(model.best, model.best16) << model.name;
    EXPECT_GE(model.best16, model.best8) << model.name;
  }
  EXPECT_EQ(models().size(), 16u);
  EXPECT_EQ(forFitting, 8);
  EXPECT_EQ(files, 608);
}

TEST(FittedModels, ALineOfAnotherFormIsNamed) {
  const auto folder = ScratchDirectory::create(fs::temp_directory_path(), "models");
  const std::string file = (folder->path() / "models.tsv").string();
  ASSERT_TRUE(writeFileAtomic(file, "# words\nsome-model\tfit\tmany\n"));
  const auto read = readFittedModels(file);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, testing::HasSubstr("some-model"));
}

TEST(SimulatedModel, AnswersAsItsRowSays) {
  const FittedModel model{.name = "m",
                          .compiles = 0.8,
                          .correct = 0.6,
                          .afterCorrect = 0.9,
                          .afterFailure = 0.2,
                          .again = 0.5,
                          .speed = 1,
                          .deviation = 0.3};
  const Assumptions assumptions{.parentHelps = 0, .headroom = 0.5, .newConversation = 1};
  const SimulatedFile parent{.speed = 2.5, .ceiling = 3};
  constexpr int kAnswers = 4000;
  SimulatedModel simulated(model, assumptions, 1);
  int correct = 0, compiles = 0, same = 0;
  double sum = 0;
  for (int i = 0; i < kAnswers; ++i) {
    const SimulatedAnswer answer = simulated.answer({.parent = parent, .isNewConversation = true});
    compiles += answer.compiles ? 1 : 0;
    if (!answer.correct)
      continue;
    ++correct;
    if (std::abs(answer.correct->speed - parent.speed) < 0.05)
      ++same;
    else
      sum += answer.correct->speed;
  }
  EXPECT_NEAR(double(correct) / kAnswers, 0.9, 0.02); // a new conversation about a correct file
  EXPECT_NEAR(double(compiles) / kAnswers, 0.9 + 0.1 * 0.5, 0.02);
  EXPECT_NEAR(double(same) / correct, 0.5, 0.03);
  EXPECT_NEAR(sum / (correct - same), 1, 0.05); // none is made of the parent
}

TEST(SimulatedModel, NoFileGetsBeyondTheCeilingOfItsApproach) {
  const FittedModel model{.name = "m", .compiles = 1, .correct = 1, .afterCorrect = 1, .speed = 1, .deviation = 0.1};
  const Assumptions assumptions{.parentHelps = 1};
  SimulatedModel simulated(model, assumptions, 1);
  SimulatedFile best{.speed = 1, .ceiling = 1.5};
  for (int i = 0; i < 200; ++i) {
    const SimulatedAnswer answer = simulated.answer({.parent = best, .isNewConversation = true});
    ASSERT_TRUE(answer.correct);
    if (answer.correct->speed > best.speed)
      best = *answer.correct;
  }
  EXPECT_LE(best.speed, 1.5);
  EXPECT_GT(best.speed, 1.45);
}

TEST(Laboratory, TheSameSeedIsTheSameRunAndTheBestIsNeverLost) {
  const std::vector<FittedModel> all = models();
  const auto reliable = std::ranges::find(all, "gpt-oss_120b", &FittedModel::name);
  ASSERT_NE(reliable, all.end());
  for (const AskStrategyRow *row : allAskStrategies()) {
    const Curve curve = simulate(strategy(row->name), *reliable, {}, 7, 50);
    EXPECT_EQ(curve, simulate(strategy(row->name), *reliable, {}, 7, 50)) << row->name;
    EXPECT_NE(curve, simulate(strategy(row->name), *reliable, {}, 8, 50)) << row->name;
    EXPECT_EQ(curve.size(), 50u);
    for (std::size_t i = 1; i < curve.size(); ++i)
      EXPECT_GE(curve[i], curve[i - 1] - 0.02) << row->name; // as far as a noisy measurement can tell
    EXPECT_GT(curve.back(), 0) << row->name;
  }
}

TEST(Laboratory, ComparesWithTheFirstStrategy) {
  const std::vector<FittedModel> all = models();
  const std::vector<std::string> names = {"linear", "linear", "best-of=3"};
  std::vector<AskStrategy> strategies;
  for (const std::string &name : names)
    strategies.push_back(strategy(name));
  const auto results = compareStrategies(strategies, names, {all.begin(), all.begin() + 4}, {}, 3, 20);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[1].toLinear.mean, 1);
  EXPECT_EQ(results[1].speedup.mean, results[0].speedup.mean);
  EXPECT_NE(results[2].speedup.mean, results[0].speedup.mean);
  for (const StrategyResult &result : results) {
    EXPECT_GE(result.calls.mean, 1);
    EXPECT_LE(result.calls.mean, 21);
    EXPECT_LE(result.speedup.low, result.speedup.mean);
  }
}

TEST(Laboratory, AnIntervalIsThatOfTheMean) {
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const Estimate estimate = estimateOf(values);
  EXPECT_EQ(estimate.mean, 3);
  EXPECT_NEAR(estimate.high - estimate.mean, 1.96 * std::sqrt(2.5 / 5), 1e-12);
  EXPECT_EQ(estimateOf({}).mean, 0);
}

TEST(MemoryLaboratory, EachApproachHasAWordOfItsOwn) {
  std::set<std::vector<std::string>> words;
  for (int approach = 0; approach < kKinds; ++approach)
    for (int other = 0; other < kKinds; ++other)
      if (other != approach) {
        const auto changes = changeWordsOf(sourceOf(other), sourceOf(approach));
        EXPECT_EQ(changes.size(), 1u) << testing::PrintToString(changes);
        words.insert(changes);
      }
  EXPECT_EQ(words.size(), std::size_t(kKinds));
}

Attempt measured(const std::string &id, double ratio) {
  Attempt attempt{.candidate = {.id = id, .text = "", .origin = "", .parent = ""}, .evaluation = {}};
  attempt.evaluation.verdict = ratio > 1 ? Verdict::Accepted : Verdict::NotFaster;
  attempt.evaluation.measurement = Measurement{.comparison = ratio > 1 ? Comparison::Faster : Comparison::Slower,
                                               .speedup = {.ratio = ratio, .low = ratio, .high = ratio}};
  return attempt;
}

TEST(MemoryLaboratory, WhatAKernelTaughtIsShownForTheNext) {
  SimulatedMemory memory;
  EXPECT_THAT(memory.begin().gains, testing::IsEmpty());
  memory.saw(measured("c1", 2), 3);
  memory.saw(measured("c2", 1.5), 5);
  memory.saw(measured("c3", 0.5), 6);
  memory.saw(measured("c4", 1.01), 7);
  const Advice advice = memory.begin();
  EXPECT_THAT(advice.gains, testing::UnorderedElementsAre(3, 5));
  EXPECT_THAT(advice.losses, testing::ElementsAre(6));
}

TEST(SimulatedModel, FollowsAMemoryAsOftenAsItIsAssumedTo) {
  const FittedModel model{.name = "m", .compiles = 1, .correct = 1, .afterCorrect = 1, .speed = 1, .deviation = 0.3};
  const Assumptions assumptions{.newConversation = 1, .memoryIsFollowed = 0.75};
  const Advice gain{.gains = {2}, .losses = {}}, loss{.gains = {}, .losses = {0, 1, 3, 4, 5, 6, 7}};
  SimulatedModel simulated(model, assumptions, 1);
  int followed = 0, avoided = 0;
  for (int i = 0; i < 4000; ++i) {
    followed += simulated.answer({.isNewConversation = true, .advice = &gain}).correct->kind == 2 ? 1 : 0;
    avoided += simulated.answer({.isNewConversation = true, .advice = &loss}).correct->kind == 2 ? 1 : 0;
  }
  const double byChance = 0.25 / kKinds;
  EXPECT_NEAR(followed / 4000.0, 0.75 + byChance, 0.02);
  EXPECT_NEAR(avoided / 4000.0, 0.75 + byChance, 0.02);
}

TEST(MemoryLaboratory, AMemoryThatNobodyFollowsChangesNothing) {
  const auto results =
      compareMemory({strategy("linear")}, {"linear"}, {models().front()}, {.memoryIsFollowed = 0}, 3, 20);
  EXPECT_EQ(results.at(0).saved.mean, 0);
  EXPECT_EQ(results[0].speedup.mean, 1);
}

TEST(MemoryLaboratory, ToFollowTheBestApproachSavesCalls) {
  const FittedModel model{.name = "m", .compiles = 1, .correct = 1, .afterCorrect = 1, .speed = 1, .deviation = 0.3};
  const Assumptions assumptions{.parentHelps = 0, .related = 1, .memoryIsFollowed = 1};
  SharedGains shared = {};
  shared[5] = 3; // standard deviations
  const Advice advice{.gains = {5}, .losses = {}};
  double with = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Curve told =
        simulate(strategy("linear"), model, assumptions, seed, 40, {.shared = &shared, .advice = &advice});
    const Curve alone = simulate(strategy("linear"), model, assumptions, seed, 40, {.shared = &shared});
    with += callsUntil(told, 1.85);
    without += callsUntil(alone, 1.85);
  }
  EXPECT_EQ(with, 10); // each at once
  EXPECT_GT(without, 30);
}

} // namespace
} // namespace agentic::cost
