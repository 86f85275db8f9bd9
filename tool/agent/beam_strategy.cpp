// A beam search over sequences of moves. It begins with recipes that won on kernels of this shape, then the openings:
// blocks, and every gainful move, alone and after one or two enabling moves that make it possible or better, in order
// of estimated running time, each also on the loops in the form that moves need, and the best ones of all loops
// together. Then it tries the best recipe with what gained in other loops, and the neighbours of the beam (the best
// recipes that differ in their moves): the nearest values of every parameter (coordinate descent), one move more, one
// less. Last come a few random recipes.
#include "tool/agent/forming_recipe.h"
#include "tool/agent/joined_recipes.h"
#include "tool/agent/strategy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kBeamWidth = 3; // recipes whose neighbours are worth a measurement
constexpr std::size_t kLongestRecipe = 16;
constexpr std::size_t kMostPrefixes = 24, kDeepestPrefix = 3;
constexpr std::size_t kMostOpenings = 16, kMostHints = 6, kMostConsidered = 200;
constexpr double kMatters = 1e-3; // part of the estimated cycles
constexpr int kRandomRecipes = 24;

/// Returns the offer with its first values: the best guess.
MoveStep firstGuess(const MoveOffer &offer) {
  MoveStep step{offer.move, offer.target, {}};
  for (const auto &[name, values] : offer.parameters)
    if (!values.empty())
      step.parameters[name] = values.front();
  return step;
}

Recipe extended(Recipe recipe, MoveStep step) {
  recipe.push_back(std::move(step));
  return recipe;
}

/// Sorts the values by closeness to `current` within the sorted list: both neighbours first.
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

/// Takes one of each in turn: the gains of one move more and of better sizes are not known in advance.
std::vector<Recipe> alternating(std::vector<Recipe> first, std::vector<Recipe> second) {
  std::vector<Recipe> result;
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size())
      result.push_back(std::move(first[i]));
    if (i < second.size())
      result.push_back(std::move(second[i]));
  }
  return result;
}

/// Returns the moves of a recipe without their parameters.
std::string skeletonOf(std::span<const MoveStep> steps) {
  std::string result;
  for (const MoveStep &step : steps)
    result += step.move + "(" + step.target + ");";
  return result;
}

class BeamStrategy : public Strategy {
public:
  explicit BeamStrategy(StrategyRequest request)
      : transformer_(request.transformer), known_(std::move(request.known)), seed_(request.seed) {}

  void enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit) override;

private:
  const std::vector<Recipe> &openings();
  struct Neighbours {
    std::vector<Recipe> near, far;
  };
  std::set<std::string> gainsOpenAfter(const Recipe &prefix);
  const Recipe &form();
  std::vector<Recipe> enablingPrefixes();
  bool matters(const Recipe &recipe);
  std::vector<Recipe> gainsAfter(const Recipe &prefix);
  std::vector<Recipe> ranked(std::vector<Recipe> recipes);
  std::vector<Recipe> findOpenings();
  Neighbours findNeighbours(const Recipe &recipe);
  const Neighbours &neighboursOf(const Recipe &recipe);
  std::vector<Recipe> oneMoveMore(const Recipe &recipe);
  static std::vector<TriedRecipe> beamOf(std::vector<TriedRecipe> tried);
  bool visitRandom(const Visit &visit);
  Recipe randomRecipe(std::uint64_t number);
  const std::vector<MoveOffer> &offersAfter(const Recipe &prefix);

  Transformer &transformer_;
  const std::vector<Recipe> known_;
  const std::uint64_t seed_;
  std::optional<Recipe> form_;
  std::optional<std::vector<Recipe>> openings_;
  std::map<std::string, std::vector<MoveOffer>> offers_; ///< by recipeText; most are asked for several times
  std::map<std::string, Neighbours> neighbours_;         ///< by recipeText
};

const std::vector<MoveOffer> &BeamStrategy::offersAfter(const Recipe &prefix) {
  const auto [entry, isNew] = offers_.try_emplace(recipeText(prefix));
  if (isNew)
    if (auto offers = transformer_.offers(prefix))
      entry->second = std::move(*offers);
  return entry->second;
}

/// Returns the names of the gainful moves that are possible after a prefix.
std::set<std::string> BeamStrategy::gainsOpenAfter(const Recipe &prefix) {
  std::set<std::string> names;
  for (const MoveOffer &offer : offersAfter(prefix))
    if (offer.role == MoveRole::Gain)
      names.insert(offer.move + "(" + offer.target);
  return names;
}

/// Returns the steps that bring the loops into the form that moves need.
const Recipe &BeamStrategy::form() {
  if (!form_)
    form_ = formingRecipe(transformer_);
  return *form_;
}

/// The empty prefix, the loops in the form that moves need, and up to kDeepestPrefix enabling moves in a row after
/// that, each of which improves estimate or offers.
std::vector<Recipe> BeamStrategy::enablingPrefixes() {
  std::vector<Recipe> prefixes = {{}};
  const Recipe &form = this->form();
  if (!form.empty())
    prefixes.push_back(form);
  std::set<std::string> reached;
  for (std::size_t i = 0; i < prefixes.size() && prefixes[i].size() < form.size() + kDeepestPrefix; ++i) {
    const Recipe from = prefixes[i];
    const std::set<std::string> open = gainsOpenAfter(from);
    const auto before = transformer_.estimate(from);
    for (const MoveOffer &offer : offersAfter(from)) {
      if (offer.role != MoveRole::Enabler || prefixes.size() >= kMostPrefixes || !before)
        continue;
      Recipe prefix = extended(from, firstGuess(offer));
      const auto after = transformer_.estimate(prefix);
      const auto text = transformer_.apply(prefix);
      if (!after || !text)
        continue;
      const bool helps = *after < *before * kNoticeable || !std::ranges::includes(open, gainsOpenAfter(prefix));
      if (helps && reached.insert(withoutComment(*text)).second) // two orders of the same moves can give the same text
        prefixes.push_back(std::move(prefix));
    }
  }
  return prefixes;
}

/// Returns whether the last step is for a loop in which time is spent: the estimate changes, for better or worse.
bool BeamStrategy::matters(const Recipe &recipe) {
  const auto before = transformer_.estimate(Recipe(recipe.begin(), recipe.end() - 1)),
             after = transformer_.estimate(recipe);
  return before && after && std::abs(*after - *before) > kMatters * *before;
}

/// Returns every gainful move after a prefix; blocks also with rows, and rows with fission.
std::vector<Recipe> BeamStrategy::gainsAfter(const Recipe &prefix) {
  std::vector<Recipe> recipes;
  for (const MoveOffer &offer : offersAfter(prefix)) {
    if (offer.role != MoveRole::Gain)
      continue;
    const Recipe one = extended(prefix, firstGuess(offer));
    recipes.push_back(one);
    if (offer.move != "strip-mine")
      continue;
    for (const MoveOffer &rows : offersAfter(one)) {
      if (rows.move != "unroll-and-jam")
        continue;
      const Recipe two = extended(one, firstGuess(rows));
      if (!matters(two))
        continue;
      recipes.push_back(two);
      for (const MoveOffer &fission : offersAfter(two))
        if (fission.move == "fission")
          recipes.push_back(extended(two, firstGuess(fission)));
    }
  }
  return recipes;
}

/// Sorts by estimate, fastest first; equal ones stay in the given order.
std::vector<Recipe> BeamStrategy::ranked(std::vector<Recipe> recipes) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < recipes.size(); ++i)
    if (const auto cycles = transformer_.estimate(recipes[i]))
      order.emplace_back(*cycles, i);
  std::ranges::sort(order);
  std::vector<Recipe> result;
  for (const auto &[cycles, index] : order)
    result.push_back(std::move(recipes[index]));
  return result;
}

const std::vector<Recipe> &BeamStrategy::openings() {
  if (!openings_)
    openings_ = findOpenings();
  return *openings_;
}

std::vector<Recipe> BeamStrategy::findOpenings() {
  std::vector<Recipe> all;
  std::map<std::string, double> best; // key: the gains; with an earlier prefix
  std::size_t considered = 0;         // each costs a parse
  for (const Recipe &prefix : enablingPrefixes()) {
    if (considered > kMostConsidered)
      break;
    std::vector<Recipe> recipes = gainsAfter(prefix);
    considered += recipes.size();
    if (!prefix.empty())
      recipes.push_back(prefix);
    for (Recipe &recipe : recipes) {
      const auto cycles = transformer_.estimate(recipe);
      const std::string gains = skeletonOf(std::span(recipe).subspan(prefix.size()));
      const auto known = best.find(gains);
      if (!cycles || (!gains.empty() && known != best.end() && *cycles > known->second * kNoticeable))
        continue; // the prefix does not help it
      best[gains] = *cycles;
      all.push_back(std::move(recipe));
    }
  }
  all = ranked(std::move(all));
  if (!form().empty()) { // estimates of loops in any other form are worth little
    std::vector<Recipe> others;
    std::ranges::remove_copy_if(all, std::back_inserter(others),
                                [&](const Recipe &recipe) { return isFormed(recipe, form()); });
    std::erase_if(all, [&](const Recipe &recipe) { return !isFormed(recipe, form()); });
    all = alternating(std::move(all), std::move(others));
  }
  // In front: every new best costs more checks than what is slower than one.
  const std::vector<Recipe> wholes = joinedByEstimate(transformer_, all, form());
  all.insert(all.begin(), wholes.begin(), wholes.end());
  all.resize(std::min(all.size(), kMostOpenings));
  std::size_t hints = 0; // they pay on top of other moves, or where nothing else is possible
  for (const MoveOffer &offer : offersAfter(form()))
    if (offer.role == MoveRole::Hint && hints++ < kMostHints)
      all.push_back(extended(form(), firstGuess(offer)));
  return all;
}

/// Returns the recipe with each offered move, hints last.
std::vector<Recipe> BeamStrategy::oneMoveMore(const Recipe &recipe) {
  std::vector<Recipe> more, hints;
  for (const MoveOffer &offer : offersAfter(recipe))
    (offer.role == MoveRole::Hint ? hints : more).push_back(extended(recipe, firstGuess(offer)));
  more = ranked(std::move(more));
  more.insert(more.end(), hints.begin(), hints.end());
  return more;
}

/// Near: the nearest values of every parameter, and one move more; far: other values, one move less.
BeamStrategy::Neighbours BeamStrategy::findNeighbours(const Recipe &recipe) {
  constexpr std::size_t kNear = 2;
  Neighbours result;
  for (std::size_t i = 0; i < recipe.size(); ++i) {
    const Recipe prefix(recipe.begin(), recipe.begin() + static_cast<std::ptrdiff_t>(i));
    for (const MoveOffer &offer : offersAfter(prefix)) {
      if (offer.move != recipe[i].move || offer.target != recipe[i].target)
        continue;
      for (const auto &[name, values] : offer.parameters) {
        const auto current = recipe[i].parameters.find(name);
        const auto others = nearestFirst(values, current == recipe[i].parameters.end() ? 0 : current->second);
        for (std::size_t k = 0; k < others.size(); ++k) {
          Recipe &changed = (k < kNear ? result.near : result.far).emplace_back(recipe);
          changed[i].parameters[name] = others[k];
        }
      }
    }
  }
  if (recipe.size() < kLongestRecipe)
    result.near = alternating(oneMoveMore(recipe), std::move(result.near));
  for (std::size_t i = 0; i < recipe.size() && recipe.size() > 1; ++i) {
    Recipe &shorter = result.far.emplace_back(recipe);
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return result;
}

const BeamStrategy::Neighbours &BeamStrategy::neighboursOf(const Recipe &recipe) {
  const std::string name = recipeText(recipe);
  const auto known = neighbours_.find(name);
  return known != neighbours_.end() ? known->second : neighbours_.emplace(name, findNeighbours(recipe)).first->second;
}

/// Returns the best recipes; of those with the same moves only the best.
std::vector<TriedRecipe> BeamStrategy::beamOf(std::vector<TriedRecipe> tried) {
  std::erase_if(tried, [](const TriedRecipe &recipe) { return recipe.ratio <= 0; });
  // For equal ratios (the same machine code from two recipes), the shorter recipe comes first, then the text decides.
  std::ranges::sort(tried, [](const TriedRecipe &left, const TriedRecipe &right) {
    const auto key = [](const TriedRecipe &entry) {
      return std::tuple(-entry.ratio, entry.recipe.size(), recipeText(entry.recipe));
    };
    return key(left) < key(right);
  });
  std::vector<TriedRecipe> beam;
  std::set<std::string> skeletons;
  for (TriedRecipe &entry : tried)
    if (beam.size() < kBeamWidth && skeletons.insert(skeletonOf(entry.recipe)).second)
      beam.push_back(std::move(entry));
  return beam;
}

Recipe BeamStrategy::randomRecipe(std::uint64_t number) {
  std::mt19937_64 random(seed_ * 1'000'003 + number);
  Recipe recipe;
  for (std::size_t steps = 1 + random() % 4; steps > 0; --steps) {
    const std::vector<MoveOffer> &offers = offersAfter(recipe);
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

bool BeamStrategy::visitRandom(const Visit &visit) {
  for (std::uint64_t number = 0; number < kRandomRecipes; ++number)
    if (Recipe recipe = randomRecipe(number); !recipe.empty() && !visit({std::move(recipe), {}}))
      return false;
  return true;
}

void BeamStrategy::enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit) {
  const auto visitAll = [&](const std::vector<Recipe> &recipes, const std::string &parent) {
    return std::ranges::all_of(recipes, [&](const Recipe &recipe) { return visit({recipe, parent}); });
  };
  if (!visitAll(known_, {}) || !visitAll(openings(), {}))
    return;
  const std::vector<TriedRecipe> beam = beamOf(tried);
  if (!beam.empty() && !visitAll(joinedByGain(beam.front(), tried, form()), beam.front().id))
    return;
  for (const TriedRecipe &root : beam)
    if (!visitAll(neighboursOf(root.recipe).near, root.id))
      return;
  for (const TriedRecipe &root : beam)
    if (!visitAll(neighboursOf(root.recipe).far, root.id))
      return;
  visitRandom(visit);
}

} // namespace

extern const StrategyRow kBeam = {
    .name = "beam",
    .make = [](StrategyRequest request) -> std::unique_ptr<Strategy> {
      return std::make_unique<BeamStrategy>(std::move(request));
    },
};

} // namespace agentic
