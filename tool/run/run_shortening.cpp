#include "tool/run/run_shortening.h"

#include "tool/agent/agent.h"
#include "tool/agent/builtin_agent.h"
#include "tool/run/run_agents.h"
#include "tool/search/journal_fold.h"
#include "tool/search/start_state.h"
#include "tool/source/transform/format.h"

#include <algorithm>
#include <memory>

namespace agentic {
namespace {

/// The steps of what the built-in search made from the function as written.
WinnerSteps stepsOf(const Candidate &winner, const Evaluator &evaluator) {
  if (!winner.origin.starts_with(kBuiltinOrigin))
    return {};
  const auto recipe = parseRecipe(std::string_view(winner.origin).substr(kBuiltinOrigin.size()));
  const RunState state = stateAtTheStart(evaluator);
  auto transformer = recipe ? Transformer::create(state.spec, transformOptions(state))
                            : Result<std::unique_ptr<Transformer>>(std::unexpected(recipe.error()));
  if (!transformer)
    return {};
  WinnerSteps steps;
  for (const MoveStep &step : *recipe)
    steps.names.push_back(step.text());
  steps.make = [recipe = *recipe, transformer = std::shared_ptr<Transformer>(std::move(*transformer)),
                parent = winner.id](const std::vector<std::size_t> &kept) -> std::optional<Candidate> {
    Recipe shorter;
    for (const std::size_t i : kept)
      shorter.push_back(recipe[i]);
    auto text = transformer->apply(shorter);
    if (!text)
      return std::nullopt;
    return makeCandidate(std::move(*text), std::string(kBuiltinOrigin) + recipeText(shorter), parent);
  };
  return steps;
}

} // namespace

ShorteningSettings shorteningFor(const RunConfig &config, const Evaluator &evaluator, const RunBudget &budget,
                                 const Journal &journal) {
  ShorteningSettings settings{.leavesOut = config.shorten};
  const auto spentOn = [&](const char *stage) {
    const auto &spent = journal.record().stageSeconds;
    const auto found = spent.find(stage);
    return found == spent.end() ? 0 : found->second;
  };
  settings.secondsLeft = [&budget, spentOn] { return budget.shorteningSeconds(spentOn(kShortening)); };
  if (config.model.roles.contains(std::string(roleName(Role::Reviewer))) &&
      std::ranges::any_of(namesOf(config), asksModel))
    settings.reviewSeconds = [&budget, spentOn] { return budget.reviewSeconds(spentOn(kReviewing)); };
  settings.format = [source = evaluator.manifest().source](const std::string &text) {
    return formattedInStyle(text, source);
  };
  if (config.startFrom.empty()) // else the steps are another text's
    settings.stepsOf = [&evaluator](const Candidate &winner) { return stepsOf(winner, evaluator); };
  return settings;
}

} // namespace agentic
