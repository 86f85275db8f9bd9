// Winning recipes of the built-in search, by the shape of their kernel: a table in the file of a memory.
//
// It only decides the order of trials: everything is evaluated again.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"
#include "tool/store/database.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::size_t kMostRecipes = 1000, kMostRecalledRecipes = 4;

/// Returns the loops as they are written, with level and family: unchanged while a kernel's computations are edited,
/// and equal for kernels of the same structure.
std::string shapeOf(const KernelSpec &spec, const std::string &level, const std::string &family);

struct WinningRecipe {
  std::string kernel; ///< empty in the memory that all projects share
  std::string recipe;
  double ratio = 0;
};

class RecipeStore {
public:
  /// As MemoryStore::open(), whose file it shares: writes nothing yet.
  static Result<RecipeStore> open(const std::string &file);

  /// Returns the recipes that won on this shape, by speedup; at most kMostRecalledRecipes.
  Result<std::vector<WinningRecipe>> recall(std::string_view shape);
  /// Adds a result; of the same recipe the best counts, and the latest kernel. Forgets those that won least lately,
  /// above kMostRecipes.
  Result<void> remember(std::string_view shape, const WinningRecipe &won);
  Result<std::vector<WinningRecipe>> list(); ///< by speedup
  Result<void> forgetAll();

private:
  Result<bool> hasTable();
  explicit RecipeStore(Database database) : database_(std::move(database)) {}
  Database database_;
};

} // namespace agentic
