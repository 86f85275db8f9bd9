#include "tool/run/run_recipes.h"

#include "tool/memory/recipe_store.h"
#include "tool/run/run_memory.h"

#include <algorithm>
#include <utility>

namespace agentic {
namespace {

std::string shapeHere(const Evaluator &evaluator) {
  return shapeOf(evaluator.spec(), std::string(evaluator.level().name), familyName(evaluator.compiler().family));
}

std::vector<std::string> filesOf(const Surroundings &surroundings, const RunConfig &config,
                                 const Evaluator &evaluator) {
  if (config.cold || config.model.memory == "off" || !config.optimization.empty())
    return {};
  return memoryFiles(config.model.memory, evaluator.manifest(), surroundings);
}

Result<std::vector<WinningRecipe>> recipesIn(const std::string &file, const std::string &shape) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return std::vector<WinningRecipe>();
  RecipeStore store = TRY(RecipeStore::open(file));
  return store.recall(shape);
}

} // namespace

std::vector<std::string> recallRecipes(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                                       const Evaluator &evaluator) {
  std::vector<WinningRecipe> won;
  for (const std::string &file : filesOf(surroundings, config, evaluator)) {
    const auto known = recipesIn(file, shapeHere(evaluator));
    if (!known)
      messages.warn("what won in earlier runs is not known: " + known.error().message + "; " + known.error().next);
    else
      won.insert(won.end(), known->begin(), known->end());
  }
  std::ranges::sort(won, {}, [](const WinningRecipe &one) { return std::pair(-one.ratio, one.recipe); });
  std::vector<std::string> recipes;
  for (const WinningRecipe &one : won)
    if (recipes.size() < kMostRecalledRecipes && std::ranges::find(recipes, one.recipe) == recipes.end())
      recipes.push_back(one.recipe);
  return recipes;
}

void rememberRecipe(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                    const Evaluator &evaluator, const std::string &recipe, double ratio) {
  const std::vector<std::string> files = filesOf(surroundings, config, evaluator);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string kernel = i == 0 ? evaluator.spec().kernel : ""; // no name of a project is in what all share
    auto store = RecipeStore::open(files[i]);
    const auto done =
        store ? store->remember(shapeHere(evaluator), {kernel, recipe, ratio}) : std::unexpected(store.error());
    if (!done)
      messages.warn("what won is not remembered for later runs: " + done.error().message + "; " + done.error().next);
  }
}

} // namespace agentic
