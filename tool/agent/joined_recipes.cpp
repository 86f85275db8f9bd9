#include "tool/agent/joined_recipes.h"

#include "tool/agent/forming_recipe.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostJoined = 3, kStarts = 3, kOthers = 8;
constexpr double kGain = 1.05; // measured ratio

/// Returns the steps behind those that bring loops into form; all of them where the recipe begins otherwise.
std::span<const MoveStep> afterForm(const Recipe &recipe, const Recipe &form) {
  return std::span(recipe).subspan(isFormed(recipe, form) ? form.size() : 0);
}

/// Such a step leaves its loop as it is, but for calls that keep compilers from vectorizing what other steps make of
/// it.
bool replacesCalls(const MoveStep &step) {
  return step.move == "inline-math";
}

bool shareLoops(std::span<const MoveStep> left, std::span<const MoveStep> right) {
  return std::ranges::any_of(left, [&](const MoveStep &step) {
    return !replacesCalls(step) && std::ranges::any_of(right, [&](const MoveStep &other) {
      return !replacesCalls(other) && step.target == other.target;
    });
  });
}

/// Loops of one name are numbered in order of the text, and a step can make more of its loop.
bool isEarlierLoop(const MoveStep &step, const MoveStep &other) {
  const auto numbered = [](const std::string &target) {
    const std::size_t mark = target.find('#');
    return std::pair(target.substr(0, mark), mark == target.npos ? 1 : std::atoi(target.c_str() + mark + 1));
  };
  const auto [name, number] = numbered(step.target);
  const auto [otherName, otherNumber] = numbered(other.target);
  return name == otherName && number < otherNumber;
}

/// Returns the recipe with the steps of the other one that it does not have, so that calls are replaced first and the
/// steps for later loops are done before others; empty where both are for the same loops.
Recipe joined(Recipe recipe, const Recipe &other, const Recipe &form) {
  std::vector<MoveStep> more;
  std::ptrdiff_t common = std::ssize(recipe) - std::ssize(afterForm(recipe, form));
  for (const MoveStep &step : afterForm(other, form))
    if (const auto same = std::ranges::find(recipe, step); same == recipe.end())
      more.push_back(step);
    else
      common = std::max(common, same - recipe.begin() + 1);
  if (more.empty() || shareLoops(std::span(recipe).subspan(std::size_t(common)), more))
    return {};
  const auto place = std::ranges::all_of(more, replacesCalls)
                         ? recipe.begin() + common
                         : std::find_if(recipe.begin() + common, recipe.end(),
                                        [&](const MoveStep &step) { return isEarlierLoop(step, more.front()); });
  recipe.insert(place, more.begin(), more.end());
  return recipe;
}

struct Whole {
  Recipe recipe;
  double cycles;
};

/// Lanes of an outer loop exclude lanes of the loops inside of it.
bool hasBlocks(const Recipe &recipe) {
  return std::ranges::any_of(
      recipe, [](const MoveStep &step) { return step.move == "strip-mine" || step.move == "unroll-and-jam"; });
}

/// The one move that helps whatever loops become, with little to show for it in an estimate.
bool isForEveryLoop(const Recipe &recipe, const Recipe &form) {
  const auto steps = afterForm(recipe, form);
  return steps.size() == 1 && steps.front().move == "restrict";
}

/// Returns the recipe with the steps of the others that improve its estimate, in their order.
Whole wholeFrom(Transformer &transformer, Whole whole, std::span<const Recipe> others, const Recipe &form) {
  for (const Recipe &other : others) {
    Recipe longer = joined(whole.recipe, other, form);
    if (longer.empty())
      continue;
    const auto cycles = transformer.estimate(longer);
    if (cycles && *cycles < whole.cycles * kNoticeable)
      whole = {std::move(longer), *cycles};
  }
  return whole;
}

/// Returns the form with all replacements of calls, which may gain nothing before loops are cut; nullopt if there are
/// none.
std::optional<Whole> withoutCalls(Transformer &transformer, std::span<const Recipe> recipes, const Recipe &form) {
  Recipe result = form;
  for (const Recipe &recipe : recipes)
    if (const auto steps = afterForm(recipe, form); steps.size() == 1 && replacesCalls(steps.front()))
      result.push_back(steps.front());
  if (result.size() == form.size())
    return std::nullopt;
  const auto cycles = transformer.estimate(result);
  return cycles ? std::optional(Whole{std::move(result), *cycles}) : std::nullopt;
}

} // namespace

std::vector<Recipe> joinedByEstimate(Transformer &transformer, std::span<const Recipe> recipes, const Recipe &form) {
  const auto formed = transformer.estimate(form);
  if (!formed)
    return {};
  std::vector<Whole> wholes;
  const std::optional<Whole> replaced = withoutCalls(transformer, recipes, form);
  for (const bool withBlocks : {true, false}) {
    std::vector<Recipe> others;
    for (const Recipe &recipe : recipes)
      if ((withBlocks || !hasBlocks(recipe)) && (others.size() < kOthers || isForEveryLoop(recipe, form)))
        others.push_back(recipe);
    Whole whole = wholeFrom(transformer, {form, *formed}, others, form);
    if (replaced)
      if (Whole other = wholeFrom(transformer, *replaced, others, form); other.cycles < whole.cycles * kNoticeable)
        wholes.push_back(std::move(other));
    wholes.push_back(std::move(whole));
    for (const Recipe &first : std::span(others).first(std::min(others.size(), kStarts)))
      if (const auto cycles = transformer.estimate(first); cycles && *cycles < *formed * kNoticeable)
        wholes.push_back(wholeFrom(transformer, {first, *cycles}, others, form));
  }
  std::ranges::sort(wholes, {}, [](const Whole &whole) { return std::pair(whole.cycles, recipeText(whole.recipe)); });
  std::vector<Recipe> known = {form}, result;
  known.insert(known.end(), recipes.begin(), recipes.end());
  for (Whole &whole : wholes) {
    const auto isSame = [&](const Recipe &other) { return std::ranges::is_permutation(other, whole.recipe); };
    if (std::ranges::any_of(known, isSame))
      continue;
    known.push_back(whole.recipe);
    result.push_back(std::move(whole.recipe));
  }
  return result;
}

std::vector<Recipe> joinedByGain(const TriedRecipe &root, std::span<const TriedRecipe> tried, const Recipe &form) {
  std::vector<const TriedRecipe *> others;
  for (const TriedRecipe &other : tried)
    if (other.ratio >= kGain)
      others.push_back(&other);
  std::ranges::sort(others, [](const TriedRecipe *left, const TriedRecipe *right) { // equal ones: by their text
    return left->ratio != right->ratio ? left->ratio > right->ratio
                                       : recipeText(left->recipe) < recipeText(right->recipe);
  });
  std::vector<Recipe> result;
  for (const TriedRecipe *other : others)
    if (Recipe recipe = joined(root.recipe, other->recipe, form); !recipe.empty() && result.size() < kMostJoined)
      result.push_back(std::move(recipe));
  return result;
}

} // namespace agentic
