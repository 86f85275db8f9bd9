// Which recipes to try next: deterministic, and without a memory of its own but of what it worked out before: what was
// tried is given.
//
// A beam search over sequences of moves. First what worked before on kernels of this shape; then the openings: blocks,
// and every gainful move, alone and behind one or two enabling moves that make it possible or better, in order of their
// estimated running times. Then the neighbours of the beam (the best recipes that differ in their moves): the nearest
// values of every parameter (coordinate descent), one move more, one less. Last a few random recipes.
#pragma once

#include "tool/source/transform/transform.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

struct TriedRecipe {
  Recipe recipe;
  double ratio = 0; ///< speedup over the baseline; 0 if it was rejected
  std::string id;
};

struct RecipeChoice {
  Recipe recipe;
  std::string parent; ///< id of the candidate it was made from; may be empty
};

class RecipeSearch {
public:
  /// Called with each choice in turn; false ends the enumeration.
  using Visit = std::function<bool(const RecipeChoice &)>;

  /// `known`: recipes that won on kernels of this shape, best first. Keeps a reference to the transformer.
  RecipeSearch(Transformer &transformer, std::vector<Recipe> known, std::uint64_t seed)
      : transformer_(transformer), known_(std::move(known)), seed_(seed) {}

  /// All choices in order of preference, tried ones included (the caller skips them).
  void enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit);
  /// What is tried first, whatever the outcome: some twenty recipes, best guess first.
  const std::vector<Recipe> &openings();

private:
  struct Neighbours {
    std::vector<Recipe> near, far;
  };
  std::set<std::string> gainsOpenAfter(const Recipe &prefix);
  std::vector<Recipe> enablingPrefixes();
  std::vector<Recipe> gainsAfter(const Recipe &prefix);
  std::vector<Recipe> ranked(std::vector<Recipe> recipes);
  std::vector<Recipe> findOpenings();
  Neighbours findNeighbours(const Recipe &recipe);
  const Neighbours &neighboursOf(const Recipe &recipe);
  std::vector<Recipe> oneMoveMore(const Recipe &recipe);
  static std::vector<TriedRecipe> beamOf(std::vector<TriedRecipe> tried);
  bool visitRandom(const Visit &visit);
  Recipe randomRecipe(std::uint64_t number);
  std::vector<MoveOffer> offersAfter(const Recipe &prefix);

  Transformer &transformer_;
  const std::vector<Recipe> known_;
  const std::uint64_t seed_;
  std::optional<std::vector<Recipe>> openings_;
  std::map<std::string, Neighbours> neighbours_; ///< by recipeText
};

} // namespace agentic
