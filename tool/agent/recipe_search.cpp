#include "tool/agent/recipe_search.h"

#include <algorithm>
#include <random>
#include <tuple>

namespace agentic {
namespace {

constexpr std::size_t kRootsOfNeighbours = 3; // best recipes whose neighbours are worth a measurement
constexpr std::size_t kLongestRecipe = 8;
constexpr int kRandomRecipes = 24;

/// The offer with its first values: the best guess.
MoveStep firstGuess(const MoveOffer &offer) {
  MoveStep step{offer.move, offer.target, {}};
  for (const auto &[name, values] : offer.parameters)
    if (!values.empty())
      step.parameters[name] = values.front();
  return step;
}

std::vector<MoveOffer> offersNamed(const std::vector<MoveOffer> &offers, std::string_view move) {
  std::vector<MoveOffer> result;
  std::ranges::copy_if(offers, std::back_inserter(result), [&](const MoveOffer &offer) { return offer.move == move; });
  return result;
}

std::vector<MoveOffer> offersAfter(Transformer &transformer, const Recipe &prefix) {
  auto offers = transformer.offers(prefix);
  return offers ? std::move(*offers) : std::vector<MoveOffer>();
}

Recipe extended(Recipe recipe, MoveStep step) {
  recipe.push_back(std::move(step));
  return recipe;
}

/// Values in order of closeness to `current` within the sorted list: both neighbours first.
std::vector<int> nearestFirst(std::vector<int> values, int current) {
  std::ranges::sort(values);
  const auto rank = [&](int value) { return std::ranges::lower_bound(values, value) - values.begin(); };
  const auto here = rank(current);
  std::vector<int> result = values;
  std::erase(result, current);
  std::ranges::sort(result, {}, [&](int value) {
    const auto distance = rank(value) - here;
    return std::pair(std::abs(distance), -distance); // of two as near, the larger first
  });
  return result;
}

/// The offer a step was taken from, given the steps in front of it.
std::vector<MoveOffer> offersOfStep(Transformer &transformer, const Recipe &recipe, std::size_t index) {
  const Recipe prefix(recipe.begin(), recipe.begin() + static_cast<std::ptrdiff_t>(index));
  std::vector<MoveOffer> matching = offersAfter(transformer, prefix);
  std::erase_if(matching, [&](const MoveOffer &offer) {
    return offer.move != recipe[index].move || offer.target != recipe[index].target;
  });
  return matching;
}

} // namespace

std::vector<Recipe> RecipeSearch::openings() {
  std::vector<Recipe> tiles, rest;
  const std::vector<MoveOffer> first = offersAfter(transformer_, {});
  std::vector<MoveOffer> stripMines = offersNamed(first, "strip-mine");
  std::ranges::reverse(stripMines); // inner loops, whose memory is contiguous, come later in the text
  for (const MoveOffer &strip : stripMines) {
    Recipe one = {firstGuess(strip)};
    for (const MoveOffer &jam : offersNamed(offersAfter(transformer_, one), "unroll-and-jam")) {
      const Recipe two = extended(one, firstGuess(jam));
      tiles.push_back(two);
      for (const MoveOffer &fission : offersNamed(offersAfter(transformer_, two), "fission"))
        tiles.push_back(extended(two, firstGuess(fission)));
    }
    tiles.push_back(one);
  }
  for (const MoveOffer &offer : first)
    if (offer.move != "strip-mine")
      rest.push_back({firstGuess(offer)});
  tiles.insert(tiles.end(), rest.begin(), rest.end());
  return tiles;
}

/// Small changes first: the nearest values of every parameter, then one step more, then the values further away.
bool RecipeSearch::visitNeighbours(const TriedRecipe &from, const Visit &visit) {
  constexpr std::size_t kNear = 2;
  const Recipe &recipe = from.recipe;
  std::vector<Recipe> near, far;
  for (std::size_t i = 0; i < recipe.size(); ++i)
    for (const MoveOffer &offer : offersOfStep(transformer_, recipe, i))
      for (const auto &[name, values] : offer.parameters) {
        const auto current = recipe[i].parameters.find(name);
        const auto others = nearestFirst(values, current == recipe[i].parameters.end() ? 0 : current->second);
        for (std::size_t k = 0; k < others.size(); ++k) {
          Recipe &changed = (k < kNear ? near : far).emplace_back(recipe);
          changed[i].parameters[name] = others[k];
        }
      }
  if (recipe.size() < kLongestRecipe)
    for (const MoveOffer &offer : offersAfter(transformer_, recipe))
      near.push_back(extended(recipe, firstGuess(offer)));
  for (std::size_t i = 0; i < recipe.size() && recipe.size() > 1; ++i) {
    Recipe &shorter = far.emplace_back(recipe);
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
  }
  near.insert(near.end(), far.begin(), far.end());
  return std::ranges::all_of(near, [&](Recipe &neighbour) { return visit({std::move(neighbour), from.id}); });
}

Recipe RecipeSearch::randomRecipe(std::uint64_t number) {
  std::mt19937_64 random(seed_ * 1'000'003 + number);
  Recipe recipe;
  for (std::size_t steps = 1 + random() % 4; steps > 0; --steps) {
    const std::vector<MoveOffer> offers = offersAfter(transformer_, recipe);
    if (offers.empty())
      break;
    const MoveOffer &offer = offers[random() % offers.size()];
    MoveStep step{offer.move, offer.target, {}};
    for (const auto &[name, values] : offer.parameters)
      if (!values.empty())
        step.parameters[name] = values[random() % values.size()];
    recipe.push_back(std::move(step));
  }
  return recipe;
}

bool RecipeSearch::visitRandom(const Visit &visit) {
  for (std::uint64_t number = 0; number < kRandomRecipes; ++number)
    if (Recipe recipe = randomRecipe(number); !recipe.empty() && !visit({std::move(recipe), {}}))
      return false;
  return true;
}

void RecipeSearch::enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit) {
  for (Recipe &recipe : openings())
    if (!visit({std::move(recipe), {}}))
      return;
  std::vector<TriedRecipe> best = tried;
  std::erase_if(best, [](const TriedRecipe &recipe) { return recipe.ratio <= 0; });
  // Equal ratios (the same machine code under two recipes): the shorter recipe, then its text, decides.
  std::ranges::sort(best, [](const TriedRecipe &left, const TriedRecipe &right) {
    const auto key = [](const TriedRecipe &tried) {
      return std::tuple(-tried.ratio, tried.recipe.size(), recipeText(tried.recipe));
    };
    return key(left) < key(right);
  });
  best.resize(std::min(best.size(), kRootsOfNeighbours));
  for (const TriedRecipe &root : best)
    if (!visitNeighbours(root, visit))
      return;
  visitRandom(visit);
}

} // namespace agentic
