#include "tool/agent/recipe_store.h"

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/lock_file.h"
#include "tool/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace agentic {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRecalled = 4, kMostLines = 2000;
constexpr double kLockSeconds = 5;

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

std::vector<std::string> RecipeStore::recall(const std::string &shape) const {
  const auto text = path_.empty() ? Result<std::string>("") : readFile(path_);
  std::map<std::string, double> best;
  for (const std::string &line : split(text ? *text : "", '\n')) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object() || !entry.contains("shape") || entry["shape"] != shape || !entry.contains("recipe") ||
        !entry["recipe"].is_string() || !entry.contains("ratio") || !entry["ratio"].is_number())
      continue;
    double &ratio = best[entry["recipe"].get<std::string>()];
    ratio = std::max(ratio, entry["ratio"].get<double>());
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto &[recipe, ratio] : best)
    order.emplace_back(-ratio, recipe);
  std::ranges::sort(order);
  order.resize(std::min(order.size(), kMostRecalled));
  std::vector<std::string> recipes;
  for (auto &[ratio, recipe] : order)
    recipes.push_back(std::move(recipe));
  return recipes;
}

Result<void> RecipeStore::remember(const std::string &shape, const std::string &kernel, const std::string &recipe,
                                   double ratio) const {
  if (path_.empty())
    return {};
  TRY(createDirectories(fs::path(path_).parent_path()));
  TRY(LockFile::acquire(path_ + ".lock", kLockSeconds));
  const auto old = readFile(path_);
  std::vector<std::string> lines = split(old ? *old : "", '\n');
  std::erase_if(lines, [](const std::string &line) { return trim(line).empty(); });
  if (lines.size() >= kMostLines)
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(lines.size() - kMostLines / 2));
  lines.push_back(json{{"shape", shape}, {"kernel", kernel}, {"recipe", recipe}, {"ratio", ratio}}.dump(
      -1, ' ', false, json::error_handler_t::replace));
  return writeFileAtomic(path_, join(lines, "\n") + "\n");
}

} // namespace agentic
