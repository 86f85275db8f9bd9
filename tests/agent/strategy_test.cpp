// Tests properties of every strategy in the table, without the agent; and that the agent uses the one it is given.
#include "tests/source/transform_fixture.h"
#include "tool/agent/builtin_agent.h"
#include "tool/agent/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

struct Choices {
  std::vector<std::string> recipes, parents;
};

class StrategyTest : public testing::TestWithParam<const StrategyRow *> {
protected:
  Choices choicesOf(Strategy &strategy, const std::vector<TriedRecipe> &tried, std::size_t most = 10'000) {
    Choices choices;
    strategy.enumerate(tried, [&](const RecipeChoice &choice) {
      choices.recipes.push_back(recipeText(choice.recipe));
      choices.parents.push_back(choice.parent);
      return choices.recipes.size() < most;
    });
    return choices;
  }
  std::unique_ptr<Strategy> make(std::vector<Recipe> known = {}, std::uint64_t seed = 1) {
    return GetParam()->make({.transformer = *transformer_, .known = std::move(known), .seed = seed});
  }
  static Recipe recipe(const std::string &text) { return parseRecipe(text).value(); }

  std::unique_ptr<Transformer> transformer_ = transformerFor(kernelSpec(kBinaryGemm));
};

TEST_P(StrategyTest, EndsAndProposesMovesThatAreLegal) {
  const Choices choices = choicesOf(*make(), {});
  EXPECT_GT(choices.recipes.size(), 10u);
  EXPECT_LT(choices.recipes.size(), 10'000u);
  const bool anyApplies = std::ranges::any_of(
      choices.recipes, [&](const std::string &text) { return transformer_->apply(recipe(text)).has_value(); });
  EXPECT_TRUE(anyApplies);
}

TEST_P(StrategyTest, StopsWhenItIsTold) {
  EXPECT_EQ(choicesOf(*make(), {}, 3).recipes.size(), 3u);
}

TEST_P(StrategyTest, BeginsWithWhatWonBefore) {
  const Choices choices = choicesOf(*make({recipe("interchange(j)"), recipe("strip-mine(j, block=16)")}), {}, 2);
  EXPECT_THAT(choices.recipes, ElementsAre("interchange(j)", "strip-mine(j, block=16)"));
}

TEST_P(StrategyTest, GoesOnFromTheBestOfWhatWasTried) {
  const std::vector<TriedRecipe> tried = {{recipe("strip-mine(j, block=32)"), 3, "fast"},
                                          {recipe("interchange(j)"), 0, "rejected"}};
  const Choices choices = choicesOf(*make(), tried);
  EXPECT_THAT(std::set(choices.parents.begin(), choices.parents.end()), UnorderedElementsAre("", "fast"));
}

TEST_P(StrategyTest, BeginsWithLoopsInTheFormThatMovesNeed) {
  transformer_ = transformerFor(kernelSpec("unsigned f(const unsigned char *s, size_t n) {\n  unsigned sum = 0;\n"
                                           "  while (n--) sum += *s++;\n  return sum;\n}\n"));
  const Choices choices = choicesOf(*make(), {});
  EXPECT_THAT(choices.recipes.front(), HasSubstr("normalise(n)"));
  EXPECT_THAT(choices.recipes, testing::Contains(HasSubstr("normalise(n); split-reduction(i")));
  for (const std::string &recipe : choices.recipes) // no loop twice
    EXPECT_EQ(recipe.find("normalise"), recipe.rfind("normalise")) << recipe;
}

TEST_P(StrategyTest, IsTheSameForASeedAndForAnotherInstance) {
  const std::vector<TriedRecipe> tried = {{recipe("strip-mine(j, block=32)"), 3, "fast"}};
  const auto first = make(), second = make(), other = make({}, 2);
  choicesOf(*first, {}); // earlier calls change nothing
  EXPECT_EQ(choicesOf(*first, tried).recipes, choicesOf(*second, tried).recipes);
  EXPECT_NE(choicesOf(*first, tried).recipes, choicesOf(*other, tried).recipes);
}

INSTANTIATE_TEST_SUITE_P(All, StrategyTest, testing::ValuesIn(allStrategies().begin(), allStrategies().end()),
                         [](const auto &row) { return std::string(row.param->name); });

/// Knows one recipe, then the neighbour of each tried one.
class OneRecipe : public Strategy {
public:
  void enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit) override {
    if (visit({parseRecipe("interchange(j)").value(), {}}) && !tried.empty())
      visit({parseRecipe("strip-mine(j, block=16)").value(), tried.front().id});
  }
};

TEST(BuiltinAgentsStrategy, IsTheOneItIsGiven) {
  const StrategyRow row = {.name = "one", .make = [](StrategyRequest) -> std::unique_ptr<Strategy> {
                             return std::make_unique<OneRecipe>();
                           }};
  BuiltinAgent agent(BuiltinAgent::From::Start, row);
  RunState state;
  state.spec = kernelSpec(kBinaryGemm);
  state.level = "x86-64-v4";
  state.family = "clang";
  const auto first = agent.propose(state);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_EQ(first->candidates.size(), 1u);
  EXPECT_EQ(first->candidates[0].origin, "builtin: interchange(j)");

  Attempt attempt{first->candidates[0], {}};
  attempt.evaluation.verdict = Verdict::Rejected;
  state.attempts.push_back(attempt);
  const auto second = agent.propose(state);
  ASSERT_TRUE(second) << second.error().message;
  ASSERT_EQ(second->candidates.size(), 1u); // the tried one is left out
  EXPECT_THAT(second->candidates[0].origin, HasSubstr("block=16"));
  EXPECT_EQ(second->candidates[0].parent, first->candidates[0].id);
}

} // namespace
} // namespace agentic
