// The contents of generated inputs: arrangements of the elements that the project itself uses, and values that break
// the assumptions of a hasty variant.
#pragma once

#include "tool/build/glue.h"

#include <cstddef>
#include <random>
#include <vector>

namespace agentic {

enum class Content {
  Recorded, ///< unchanged, from the begin on: arrays that belong together stay so
  Rotated,  ///< unchanged: the caller has chosen where to begin
  Constant,
  Ascending,
  Descending,
  EqualEnds, ///< the last element is the first
  Special,   ///< some smallest and largest integers; some NaN, infinities, -0, denormals and largest numbers
  Mixed,     ///< integers of all lengths, short ones first: a rule for the first need not hold for the last
  Scalar,    ///< all elements are `kind.scalar`: for a kernel that counts a value, data with no other
  OneNan,    ///< each of the special values alone: mixed, one hides the effect of another
  OneInfinity,
  Denormals
};

struct ElementKind {
  GlueParameter::Element element = GlueParameter::Element::Bytes;
  std::size_t size = 1;
  bool specialValues = false; ///< Special may put them among floating-point numbers
  bool extremes = false;      ///< Special and Mixed may put them among integers
  double scalar = 0;          ///< value of an argument of the same call
};

/// Rearranges or overwrites the elements in `bytes`. Constant and Rotated leave them; so does everything but EqualEnds
/// if elements are no numbers of 1, 2, 4 or 8 bytes.
void arrange(std::vector<std::byte> &bytes, Content content, const ElementKind &kind, std::mt19937_64 &random);

} // namespace agentic
