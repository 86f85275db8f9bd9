#include "tool/memory/recipe_store.h"

#include "tool/base/hash.h"
#include "tool/memory/memory_file.h"

#include <utility>

namespace agentic {
namespace {

// Beside the tables of MemoryStore, which come and go with their own version.
constexpr const char *kRecipeTable =
    "CREATE TABLE IF NOT EXISTS recipes(shape TEXT, recipe TEXT, kernel TEXT, ratio REAL, PRIMARY KEY(shape, recipe))";

Result<std::vector<WinningRecipe>> rowsOf(Statement &statement) {
  std::vector<WinningRecipe> recipes;
  while (TRY(statement.step()))
    recipes.push_back({statement.text(0), statement.text(1), statement.real(2)});
  return recipes;
}

} // namespace

std::string shapeOf(const KernelSpec &spec, const std::string &level, const std::string &family) {
  HashBuilder hash;
  hash.add(level);
  hash.add(family);
  for (const Loop &loop : spec.loops) {
    hash.add(std::to_string(loop.depth));
    hash.add(loop.header);
  }
  return hash.hex().substr(0, 32);
}

Result<RecipeStore> RecipeStore::open(const std::string &file) {
  return RecipeStore(TRY(openMemoryFile(file)));
}

/// A memory that was never added to, or that an earlier version of the tool made, has no table.
Result<bool> RecipeStore::hasTable() {
  Statement statement = TRY(database_.prepare("SELECT 1 FROM sqlite_master WHERE name = 'recipes'"));
  return statement.step();
}

Result<std::vector<WinningRecipe>> RecipeStore::recall(std::string_view shape) {
  if (!TRY(hasTable()))
    return std::vector<WinningRecipe>();
  Statement statement = TRY(database_.prepare(
      "SELECT kernel, recipe, ratio FROM recipes WHERE shape = ?1 ORDER BY ratio DESC, recipe LIMIT ?2"));
  statement.with({shape}).bind(2, static_cast<std::int64_t>(kMostRecalledRecipes));
  return rowsOf(statement);
}

Result<std::vector<WinningRecipe>> RecipeStore::list() {
  if (!TRY(hasTable()))
    return std::vector<WinningRecipe>();
  Statement statement =
      TRY(database_.prepare("SELECT kernel, recipe, ratio FROM recipes ORDER BY ratio DESC, recipe, kernel"));
  return rowsOf(statement);
}

Result<void> RecipeStore::remember(std::string_view shape, const WinningRecipe &won) {
  return database_.allOrNothing([&]() -> Result<void> {
    TRY(database_.run(kRecipeTable));
    Statement add = TRY(database_.prepare( // replaced, it has a new row: the newest
        "INSERT OR REPLACE INTO recipes(shape, recipe, kernel, ratio) VALUES(?1, ?2, ?3, "
        "max(?4, coalesce((SELECT ratio FROM recipes WHERE shape = ?1 AND recipe = ?2), 0)))"));
    add.with({shape, won.recipe, won.kernel}).bind(4, won.ratio);
    TRY(add.run());
    Statement bound = TRY(database_.prepare(
        "DELETE FROM recipes WHERE rowid NOT IN (SELECT rowid FROM recipes ORDER BY rowid DESC LIMIT ?1)"));
    bound.bind(1, static_cast<std::int64_t>(kMostRecipes));
    return bound.run();
  });
}

Result<void> RecipeStore::forgetAll() {
  return TRY(hasTable()) ? database_.run("DELETE FROM recipes") : Result<void>();
}

} // namespace agentic
