// Which recipes to try next: pure, deterministic, and without a memory of its own: what was tried is given.
//
// First the openings (the combinations that usually win, best guess first), then the neighbours of the best recipes so
// far (one parameter changed, one step more, one step less), then a few random recipes.
#pragma once

#include "tool/source/transform.h"

#include <cstdint>
#include <functional>
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

  RecipeSearch(Transformer &transformer, std::uint64_t seed) : transformer_(transformer), seed_(seed) {}

  /// All choices in order of preference, tried ones included (the caller skips them).
  void enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit);
  /// What is tried first, whatever the outcome.
  std::vector<Recipe> openings();

private:
  bool visitNeighbours(const TriedRecipe &from, const Visit &visit);
  bool visitRandom(const Visit &visit);
  Recipe randomRecipe(std::uint64_t number);

  Transformer &transformer_;
  std::uint64_t seed_;
};

} // namespace agentic
