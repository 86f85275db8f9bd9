// Applies moves to sums and the like, with the freedom that a contract may give.
#pragma once

#include "tests/source/move_fixture.h"

namespace agentic {

struct Freedom {
  bool mayReassociate = false;
  Contract contract = {};
};

inline KernelSpec specWith(const std::string &kernel, const Freedom &freedom) {
  KernelSpec spec = kernelSpec(
      kernel, {"extern int shared;", "#define SQUARE(v) ((v) * (v))",
               "namespace std {\ntemplate <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"
               "template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }\n"
               "inline float fmax(float a, float b) { return __builtin_fmaxf(a, b); }\n}"});
  spec.contract = freedom.contract;
  return spec;
}
inline TransformOptions optionsWith(const Freedom &freedom, Family family = Family::Clang) {
  return {.family = family, .mayReassociate = freedom.mayReassociate};
}

inline std::unique_ptr<Transformer> transformerWith(const std::string &kernel, const Freedom &freedom,
                                                    Family family = Family::Clang) {
  auto transformer = Transformer::create(specWith(kernel, freedom), optionsWith(freedom, family));
  EXPECT_TRUE(transformer) << transformer.error().message;
  return transformer ? std::move(*transformer) : nullptr;
}

inline std::string textOf(const std::string &kernel, const std::string &recipe, const Freedom &freedom = {}) {
  return transformedBy(specWith(kernel, freedom), recipe, optionsWith(freedom));
}

/// Returns the transformer's verdict on `move` for `loop`: "offered", or the reason why not.
inline std::string verdict(const std::string &kernel, const std::string &move, const std::string &loop,
                           const Freedom &freedom = {}) {
  return refusalOf(specWith(kernel, freedom), move, loop, optionsWith(freedom));
}

} // namespace agentic
