#include "tool/agent/forming_recipe.h"

#include <algorithm>
#include <set>

namespace agentic {

Recipe formingRecipe(Transformer &transformer) {
  constexpr std::size_t kMostSteps = 16; // each costs a parse
  Recipe recipe;
  std::set<std::string> failed;
  for (bool goesOn = true; goesOn && recipe.size() < kMostSteps;) {
    goesOn = false;
    auto offers = transformer.offers(recipe);
    if (!offers)
      break;
    if (const auto first = std::ranges::find_if(*offers, &MoveOffer::isForm); first != offers->end())
      std::rotate(offers->begin(), first, first + 1);
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

bool isFormed(const Recipe &recipe, const Recipe &form) {
  return recipe.size() >= form.size() && std::equal(form.begin(), form.end(), recipe.begin());
}

} // namespace agentic
