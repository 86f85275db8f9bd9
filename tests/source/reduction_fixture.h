// Moves on sums and the like, with the policies that a contract may set.
#pragma once

#include "tests/source/transform_fixture.h"

namespace agentic {

struct Policy {
  bool mayReassociate = false;
  Contract contract = {};
};

inline std::unique_ptr<Transformer> transformerWith(const std::string &kernel, const Policy &policy,
                                                    Family family = Family::Clang) {
  KernelSpec spec = kernelSpec(
      kernel, {"extern int shared;", "#define SQUARE(v) ((v) * (v))",
               "namespace std {\ntemplate <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"
               "template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }\n"
               "inline float fmax(float a, float b) { return __builtin_fmaxf(a, b); }\n}"});
  spec.contract = policy.contract;
  TransformOptions options;
  options.family = family;
  options.mayReassociate = policy.mayReassociate;
  auto transformer = Transformer::create(spec, options);
  EXPECT_TRUE(transformer) << transformer.error().message;
  return transformer ? std::move(*transformer) : nullptr;
}

inline std::string textOf(const std::string &kernel, const std::string &recipe, const Policy &policy = {}) {
  const auto transformer = transformerWith(kernel, policy);
  const auto steps = parseRecipe(recipe);
  EXPECT_TRUE(steps) << steps.error().message;
  if (!transformer || !steps)
    return {};
  const auto text = transformer->apply(*steps);
  return text ? *text : "error: " + text.error().message;
}

/// What the transformer says about `move` on `loop`: "offered", or the reason why not.
inline std::string verdict(const std::string &kernel, const std::string &move, const std::string &loop,
                           const Policy &policy = {}) {
  const auto transformer = transformerWith(kernel, policy);
  if (!transformer)
    return "unparsed";
  const auto offers = transformer->offers({});
  EXPECT_TRUE(offers);
  for (const MoveOffer &offer : *offers)
    if (offer.move == move && offer.target == loop)
      return "offered";
  for (const MoveRefusal &refusal : transformer->refusals())
    if (refusal.move == move && refusal.target == loop)
      return refusal.reason;
  return "no such loop";
}

} // namespace agentic
