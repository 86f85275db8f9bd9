// Makes other contents for a recorded call, of the same sizes: contents that a project's own data never have. No
// contract is needed, for sizes and scalars stay as they are.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/recorded_calls.h"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace agentic {

struct PlanPatch {
  std::size_t argument = 0, offset = 0;
  std::vector<std::byte> bytes;
};

/// The contents to make besides those made of the call's own elements.
struct ContentWishes {
  bool wild = false;       ///< any value of an integer's type, single ones beside the data's own, and ordinary
                           ///< floating-point numbers: of the other sign, and multiples of one half
  bool special = false;    ///< NaN, infinities and zeros of both signs, each alone: together, one hides the other
  bool magnitudes = false; ///< denormal, tiny and huge numbers: where results are compared bit for bit, for elsewhere
                           ///< no tolerance covers what another order of operations does to them
};

struct OtherContents {
  std::vector<PlanPatch> patches; ///< whole arguments, or one element
  std::string circumstance;       ///< "when 'data' holds nothing but zeros": ends a sentence
};

/// Returns at most `most` contents, for each array that is read and then for all of them at once; and on top of them a
/// third as many, 16 at most, in which one integer is one more or one less than a recorded one. Contents that may leave
/// the domain of an index come last for each argument. Contents that would change nothing are left out.
std::vector<OtherContents> otherContents(const RecordedCall &call, const GlueDescription &kernel,
                                         const ContentWishes &wishes, std::size_t most, std::mt19937_64 &random);

/// Returns the few contents that overflow what a small call does not: extremes of integers in all arrays that are read,
/// equal and opposite ones.
std::vector<OtherContents> extremeContents(const RecordedCall &call, const GlueDescription &kernel,
                                           std::mt19937_64 &random);

} // namespace agentic
