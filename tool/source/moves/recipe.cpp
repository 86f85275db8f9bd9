#include "tool/source/moves/recipe.h"

#include "tool/base/text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace agentic {
namespace {

std::unexpected<Error> badRecipe(std::string_view text) {
  return userError("'" + std::string(text) + "' is no step of a recipe",
                   "write steps like 'strip-mine(j, block=16)', separated by semicolons");
}

Result<MoveStep> parseStep(std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || open == 0 || !text.ends_with(')'))
    return badRecipe(text);
  MoveStep step;
  step.move = trim(text.substr(0, open));
  bool isFirst = true;
  for (const std::string &part : split(text.substr(open + 1, text.size() - open - 2), ',')) {
    const std::string_view item = trim(part);
    if (isFirst) {
      step.target = item;
      isFirst = false;
      continue;
    }
    const std::size_t equals = item.find('=');
    int value = 0;
    if (equals == std::string_view::npos)
      return badRecipe(text);
    const std::string_view digits = trim(item.substr(equals + 1));
    const auto end = digits.data() + digits.size();
    if (const auto read = std::from_chars(digits.data(), end, value); read.ec != std::errc() || read.ptr != end)
      return badRecipe(text);
    step.parameters[std::string(trim(item.substr(0, equals)))] = value;
  }
  return step;
}

} // namespace

std::string MoveStep::text() const {
  std::string result = move + "(" + target;
  for (const auto &[name, value] : parameters)
    result += ", " + name + "=" + std::to_string(value);
  return result + ")";
}

std::string recipeText(const Recipe &recipe) {
  std::vector<std::string> steps;
  for (const MoveStep &step : recipe)
    steps.push_back(step.text());
  return join(steps, "; ");
}

std::string recipeKey(Recipe recipe) {
  constexpr std::string_view kApart[] = {"hoist", "promote", "specialise", "prefetch", "loop-pragma"};
  for (auto begin = recipe.begin(); begin != recipe.end();) {
    const auto end = std::find_if(begin, recipe.end(), [&](const MoveStep &step) { return step.move != begin->move; });
    if (std::ranges::find(kApart, begin->move) != std::end(kApart))
      std::sort(begin, end, [](const MoveStep &a, const MoveStep &b) { return a.text() < b.text(); });
    begin = end;
  }
  return recipeText(recipe);
}

Result<Recipe> parseRecipe(std::string_view text) {
  Recipe recipe;
  for (const std::string &part : split(text, ';')) {
    if (trim(part).empty())
      continue;
    auto step = TRY(parseStep(part));
    recipe.push_back(std::move(step));
  }
  return recipe;
}

std::string withoutComment(std::string_view text) {
  while (text.starts_with("//"))
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return std::string(text);
}

} // namespace agentic
