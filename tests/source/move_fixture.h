// For tests of single moves: the text after a recipe, and why a move is not offered.
#pragma once

#include "tests/source/transform_fixture.h"

namespace agentic {

/// Returns the text after `recipe`, or "error: " with the message.
inline std::string transformedBy(const KernelSpec &spec, const std::string &recipe, TransformOptions options = {}) {
  const auto transformer = Transformer::create(spec, options);
  const auto steps = parseRecipe(recipe);
  EXPECT_TRUE(transformer) << transformer.error().message;
  EXPECT_TRUE(steps) << steps.error().message;
  if (!transformer || !steps)
    return {};
  const auto text = (*transformer)->apply(*steps);
  return text ? *text : "error: " + text.error().message;
}

/// Returns why `move` is not offered for `target`; "offered" if it is, "not mentioned" if neither.
inline std::string refusalOf(const KernelSpec &spec, const std::string &move, const std::string &target,
                             TransformOptions options = {}) {
  const auto transformer = Transformer::create(spec, options);
  EXPECT_TRUE(transformer) << transformer.error().message;
  if (!transformer)
    return "unparsed";
  const auto offers = (*transformer)->offers({});
  EXPECT_TRUE(offers) << offers.error().message;
  for (const MoveOffer &offer : *offers)
    if (offer.move == move && offer.target == target)
      return "offered";
  for (const MoveRefusal &refusal : (*transformer)->refusals())
    if (refusal.move == move && refusal.target == target)
      return refusal.reason;
  return "not mentioned";
}

} // namespace agentic
