#include "tool/agent/builtin_agent.h"

#include "tool/agent/forming_recipe.h"
#include "tool/base/text.h"

#include <algorithm>
#include <set>

namespace agentic {
namespace {

constexpr std::size_t kBatch = 4;

double ratioOf(const RunState &state, const Evaluation &evaluation) {
  if (evaluation.measurement)
    return evaluation.measurement->speedup.ratio;
  // It was measured against the incumbent only, but at least its rank among the tried ones is known.
  if (evaluation.againstIncumbent)
    return evaluation.againstIncumbent->speedup.ratio * state.bestRatio;
  if (!evaluation.sameCodeAs.empty())
    for (const Attempt &attempt : state.attempts)
      if (attempt.candidate.id == evaluation.sameCodeAs && attempt.evaluation.measurement)
        return attempt.evaluation.measurement->speedup.ratio;
  return 0;
}

std::vector<TriedRecipe> triedRecipes(const RunState &state, std::string_view origin) {
  std::vector<TriedRecipe> tried;
  for (const Attempt &attempt : state.attempts) {
    if (!attempt.candidate.origin.starts_with(origin))
      continue;
    if (auto recipe = parseRecipe(std::string_view(attempt.candidate.origin).substr(origin.size())))
      tried.push_back({std::move(*recipe), ratioOf(state, attempt.evaluation), attempt.candidate.id});
  }
  return tried;
}

/// Returns the candidate to polish: the one that was polished, else the best so far. nullptr: there is none.
const Attempt *polished(const RunState &state) {
  for (const Attempt &attempt : state.attempts) {
    std::string_view origin = attempt.candidate.origin;
    if (!origin.starts_with(kPolishOrigin))
      continue;
    origin.remove_prefix(kPolishOrigin.size());
    const auto target = std::ranges::find(state.attempts, origin.substr(0, origin.find(':')),
                                          [](const Attempt &other) -> std::string_view { return other.candidate.id; });
    if (target != state.attempts.end())
      return &*target;
  }
  return incumbentOf(state);
}

/// Returns why loops were left alone; each reason once.
std::string refusalNote(Transformer &transformer) {
  std::vector<std::string> reasons;
  std::set<std::string> seen;
  const Recipe form = formingRecipe(transformer); // of a loop that takes the form which moves need, nothing is refused
  if (transformer.offers(form))
    for (const MoveRefusal &refusal : transformer.refusals())
      if (seen.insert(refusal.move + refusal.reason).second)
        reasons.push_back(refusal.move + "(" + refusal.target + "): " + refusal.reason);
  return reasons.empty() ? "" : "not tried: " + join(reasons, "; ");
}

} // namespace

TransformOptions transformOptions(const RunState &state) {
  const Contract &contract = state.spec.contract;
  const bool isFree = mayReassociate(state.spec);
  return {.family = state.family == "gcc" ? Family::Gcc : Family::Clang,
          .level = state.level,
          .mayReassociate = isFree,
          .hasTolerance = isFree && contract.tolerance && contract.tolerance->value > 0,
          .observed = state.observed,
          .seed = state.startText};
}

Result<void> BuiltinAgent::prepare(const RunState &state) {
  const std::string key = state.family + "\n" + state.spec.text + "\n" + state.startText + std::to_string(state.seed);
  if (transformer_ && key == preparedFor_)
    return {};
  transformer_ = TRY(Transformer::create(state.spec, transformOptions(state)));
  std::vector<Recipe> known;
  for (const std::string &text : state.startRecipes)
    if (auto recipe = parseRecipe(text))
      known.push_back(std::move(*recipe));
  strategy_ = makeStrategy_({.transformer = *transformer_, .known = std::move(known), .seed = state.seed});
  preparedFor_ = key;
  return {};
}

Result<Proposal> BuiltinAgent::propose(const RunState &state) {
  if (from_ == From::Start)
    return proposeFrom(state, std::string(kBuiltinOrigin));
  const Attempt *best = polished(state);
  if (!best)
    return Proposal();
  RunState own = state;
  own.startText = best->candidate.text;
  own.startRecipes.clear();
  return proposeFrom(own, std::string(kPolishOrigin) + best->candidate.id + ": ");
}

Result<Proposal> BuiltinAgent::proposeFrom(const RunState &state, const std::string &origin) {
  for (const Attempt &attempt : state.attempts)
    if (!state.startText.empty() && attempt.candidate.text == state.startText &&
        attempt.evaluation.verdict == Verdict::Rejected)
      return userError("the candidate to start from is rejected by " +
                           std::string(stageName(attempt.evaluation.stage)) + ": " + attempt.evaluation.detail,
                       "correct it until 'agentic-kernel evaluate' accepts it, then start from it again");
  TRY(prepare(state));
  const std::vector<TriedRecipe> tried = triedRecipes(state, origin);
  std::set<std::string> texts = {withoutComment(state.spec.text), withoutComment(state.startText)}, recipes;
  for (const Attempt &attempt : state.attempts)
    texts.insert(withoutComment(attempt.candidate.text));
  for (const TriedRecipe &recipe : tried)
    recipes.insert(recipeKey(recipe.recipe));
  Proposal proposal;
  if (state.attempts.empty())
    proposal.note = refusalNote(*transformer_);
  strategy_->enumerate(tried, [&](const RecipeChoice &choice) {
    if (!recipes.insert(recipeKey(choice.recipe)).second)
      return true;
    auto text = transformer_->apply(choice.recipe);
    if (!text)
      return true; // the moves are not legal together
    Candidate candidate = makeCandidate(std::move(*text), origin + recipeText(choice.recipe), choice.parent);
    if (texts.insert(withoutComment(candidate.text)).second)
      proposal.candidates.push_back(std::move(candidate));
    return proposal.candidates.size() < kBatch;
  });
  return proposal;
}

} // namespace agentic
