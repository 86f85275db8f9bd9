#include "tool/cli/suite_promises.h"

#include "tool/agent/builtin_agent.h"
#include "tool/search/rejections.h"

#include <string_view>

namespace agentic {
namespace {

constexpr std::string_view kOrigin = "builtin: ";

std::string verdictText(const Evaluation &evaluation) {
  if (!evaluation.sameCodeAs.empty())
    return "the same code as an earlier one";
  if (evaluation.verdict == Verdict::Rejected)
    return "rejected by " + rejectedBy(evaluation);
  return evaluation.verdict == Verdict::Accepted ? "accepted" : "not faster than the best";
}

} // namespace

std::vector<Promise> promisesOf(const RunState &start, const std::vector<Attempt> &attempts) {
  const auto transformer = Transformer::create(start.spec, transformOptions(start));
  const auto baseline = transformer ? (*transformer)->estimate({}) : std::unexpected(transformer.error());
  if (!baseline)
    return {};
  std::vector<Promise> promises;
  double best = 1;
  for (const Attempt &attempt : attempts) {
    const Evaluation &evaluation = attempt.evaluation;
    std::optional<double> came;
    if (evaluation.measurement)
      came = evaluation.measurement->speedup.ratio;
    else if (evaluation.againstIncumbent)
      came = evaluation.againstIncumbent->speedup.ratio * best;
    if (attempt.becameBest && came)
      best = *came;
    const std::string_view origin = attempt.candidate.origin;
    if (!origin.starts_with(kOrigin))
      continue;
    const auto recipe = parseRecipe(origin.substr(kOrigin.size()));
    const auto cycles = recipe ? (*transformer)->estimate(*recipe) : std::unexpected(recipe.error());
    if (cycles && *cycles > 0)
      promises.push_back({recipeText(*recipe), *baseline / *cycles, came, verdictText(evaluation)});
  }
  return promises;
}

} // namespace agentic
