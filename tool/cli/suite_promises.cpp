#include "tool/cli/suite_promises.h"

#include "tool/agent/builtin_agent.h"
#include "tool/model/ranked_attempts.h"
#include "tool/search/rejections.h"

#include <string_view>

namespace agentic {
namespace {

std::string verdictText(const Evaluation &evaluation) {
  if (!evaluation.sameCodeAs.empty())
    return "the same code as an earlier one";
  if (evaluation.verdict == Verdict::Rejected)
    return "rejected by " + rejectedBy(evaluation);
  return evaluation.verdict == Verdict::Accepted ? "accepted" : "not faster than the best";
}

} // namespace

std::vector<Promise> promisesOf(const RunState &state) {
  const auto transformer = Transformer::create(state.spec, transformOptions(state));
  const auto baseline = transformer ? (*transformer)->estimate({}) : std::unexpected(transformer.error());
  if (!baseline)
    return {};
  std::vector<Promise> promises;
  const std::vector<RankedAttempt> ranked = rankedAttempts(state);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const std::string_view origin = state.attempts[i].candidate.origin;
    if (!origin.starts_with(kBuiltinOrigin))
      continue;
    const auto recipe = parseRecipe(origin.substr(kBuiltinOrigin.size()));
    const auto cycles = recipe ? (*transformer)->estimate(*recipe) : std::unexpected(recipe.error());
    const std::optional<double> came = ranked[i].ratio > 0 ? std::optional(ranked[i].ratio) : std::nullopt;
    if (cycles && *cycles > 0)
      promises.push_back({recipeText(*recipe), *baseline / *cycles, came, verdictText(state.attempts[i].evaluation)});
  }
  return promises;
}

} // namespace agentic
