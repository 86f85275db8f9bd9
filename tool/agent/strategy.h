// The order in which the built-in search tries recipes. A new strategy = one file that defines its StrategyRow, and its
// row in strategies.cpp.
#pragma once

#include "tool/source/transform/transform.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr double kNoticeable = 0.98; ///< ratio of estimated cycles that is worth a try

struct TriedRecipe {
  Recipe recipe;
  double ratio = 0; ///< speedup over the baseline; 0 if it was rejected
  std::string id;
};

struct RecipeChoice {
  Recipe recipe;
  std::string parent; ///< id of the candidate it was made from; may be empty
};

/// Deterministic, and without memory but for cached computations: the tried recipes are passed in, so that a resumed
/// run continues as it would have.
class Strategy {
public:
  /// Gets each choice in turn; false ends the enumeration.
  using Visit = std::function<bool(const RecipeChoice &)>;

  virtual ~Strategy() = default;
  /// Visits all choices in order of preference, tried ones included (the caller skips them, and those that are not
  /// legal).
  virtual void enumerate(const std::vector<TriedRecipe> &tried, const Visit &visit) = 0;
};

struct StrategyRequest {
  Transformer &transformer;  ///< outlives the strategy
  std::vector<Recipe> known; ///< recipes that won on kernels of this shape, best first
  std::uint64_t seed = 1;
};

struct StrategyRow {
  std::string_view name;
  std::unique_ptr<Strategy> (*make)(StrategyRequest request);
};

/// Returns the table; the built-in search uses the first row.
std::span<const StrategyRow *const> allStrategies();

} // namespace agentic
