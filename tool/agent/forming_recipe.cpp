#include "tool/agent/forming_recipe.h"

#include <set>

namespace agentic {

Recipe formingRecipe(Transformer &transformer) {
  constexpr std::size_t kMostSteps = 12; // each costs a parse
  Recipe recipe;
  std::set<std::string> failed;
  for (bool goesOn = true; goesOn && recipe.size() < kMostSteps;) {
    goesOn = false;
    const auto offers = transformer.offers(recipe);
    if (!offers)
      break;
    for (const MoveOffer &offer : *offers) {
      if (offer.role != MoveRole::Form || failed.contains(offer.target))
        continue;
      recipe.push_back({offer.move, offer.target, {}});
      if (transformer.offers(recipe)) {
        goesOn = true;
        break;
      }
      failed.insert(offer.target); // the text does not parse again
      recipe.pop_back();
    }
  }
  return recipe;
}

} // namespace agentic
