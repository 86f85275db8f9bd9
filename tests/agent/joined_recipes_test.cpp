// Tests recipes for several loops out of recipes for one loop each.
#include "tool/agent/joined_recipes.h"

#include "tests/source/transform_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Recipe recipe(const std::string &text) {
  return parseRecipe(text).value();
}

std::vector<std::string> texts(const std::vector<Recipe> &recipes) {
  std::vector<std::string> result;
  for (const Recipe &each : recipes)
    result.push_back(recipeText(each));
  return result;
}

/// Two sums and a loop that needs both.
const std::string kVariance = R"(float f(const float *x, float *y, size_t n) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += x[i];
  float squares = 0;
  for (size_t i = 0; i < n; ++i)
    squares += (x[i] - sum) * (x[i] - sum);
  for (size_t i = 0; i < n; ++i)
    y[i] = x[i] * squares;
  return squares;
})";

std::vector<std::string> joinedOf(const std::vector<std::string> &recipes, const std::string &form = "",
                                  const std::string &kernel = kVariance) {
  TransformOptions options{.family = Family::Gcc,
                           .level = "x86-64-v4",
                           .mayReassociate = true,
                           .hasTolerance = true,
                           .observed = {{"n", {4096}}}};
  KernelSpec spec = kernelSpec(kernel);
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Relative, 1e-4};
  const auto transformer = Transformer::create(spec, options);
  EXPECT_TRUE(transformer);
  std::vector<Recipe> parsed;
  for (const std::string &text : recipes)
    parsed.push_back(recipe(text));
  return texts(joinedByEstimate(**transformer, parsed, form.empty() ? Recipe() : recipe(form)));
}

const std::string kFirst = "split-reduction(i, form=0, lanes=64)", kSecond = "split-reduction(i#2, form=0, lanes=64)";

TEST(JoinedByEstimate, LaterLoopsComeFirstBecauseLoopsAreNumbered) {
  EXPECT_THAT(joinedOf({kFirst, kSecond}), ElementsAre(kSecond + "; " + kFirst));
  EXPECT_THAT(joinedOf({kSecond, kFirst}), ElementsAre(kSecond + "; " + kFirst));
}

TEST(JoinedByEstimate, LeavesOutWhatImprovesNothing) {
  EXPECT_THAT(joinedOf({kFirst, "loop-pragma(i#3, unroll=4)"}), IsEmpty());
  EXPECT_THAT(joinedOf({kFirst, "split-reduction(i, form=0, lanes=32)"}), IsEmpty()) << "the same loop";
  EXPECT_THAT(joinedOf({kFirst, "split-reduction(q, form=0, lanes=32)"}), IsEmpty()) << "no such loop";
  EXPECT_THAT(joinedOf({kFirst}), IsEmpty());
  EXPECT_THAT(joinedOf({}), IsEmpty());
}

// A root that may set errno costs little by itself, and keeps g++ from vectorizing the lanes around it.
TEST(JoinedByEstimate, ReplacesCallsForWhatOtherStepsMakeOfLoops) {
  const std::string kDistances = R"(void f(const float *x, float *y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    float sum = 0;
    for (size_t j = 0; j < n; ++j)
      sum += __builtin_sqrtf((x[i] - x[j]) * (x[i] - x[j]));
    y[i] = sum;
  }
})",
                    kLanes = "strip-mine(i, block=32)", kCalls = "inline-math(j)";
  EXPECT_THAT(joinedOf({kLanes, kCalls}, "", kDistances), ElementsAre(kCalls + "; " + kLanes));
  const std::string kSums = "split-reduction(j, form=0, lanes=64)";
  EXPECT_THAT(joinedOf({kSums, kCalls}, "", kDistances), ElementsAre(kCalls + "; " + kSums)) << "the same loop";
}

std::vector<std::string> crossed(const std::string &root, const std::vector<std::pair<std::string, double>> &tried,
                                 const std::string &form = "") {
  std::vector<TriedRecipe> recipes;
  for (const auto &[text, ratio] : tried)
    recipes.push_back({recipe(text), ratio, text});
  return texts(joinedByGain({recipe(root), 2, "root"}, recipes, form.empty() ? Recipe() : recipe(form)));
}

TEST(JoinedByGain, TakesWhatGainedInOtherLoops) {
  EXPECT_THAT(crossed("hoist(i)", {{"hoist(i)", 2}, {"hoist(j)", 1.2}, {"hoist(k)", 1.5}, {"hoist(i); hoist(m)", 1.9}}),
              ElementsAre("hoist(i); hoist(m)", "hoist(i); hoist(k)", "hoist(i); hoist(j)"));
  EXPECT_THAT(crossed("hoist(i)", {{"reorder(i)", 1.9}, {"hoist(j)", 1.04}, {"hoist(k)", 0}}), IsEmpty());
}

TEST(JoinedByGain, KeepsCommonStepsInFront) {
  EXPECT_THAT(crossed("normalise(c); distribute(c#2, at=1); inline-math(c#2)",
                      {{"distribute(c#2, at=1); split-reduction(c#3, lanes=8)", 1.3},
                       {"normalise(c); split-reduction(c, lanes=8)", 1.2}},
                      "normalise(c)"),
              ElementsAre("normalise(c); distribute(c#2, at=1); split-reduction(c#3, lanes=8); inline-math(c#2)",
                          "normalise(c); distribute(c#2, at=1); inline-math(c#2); split-reduction(c, lanes=8)"));
}

} // namespace
} // namespace agentic
