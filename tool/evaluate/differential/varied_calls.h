// Varies recorded calls in one number at a time: a scalar argument, or the length of the ranges. No contract is needed:
// the caller drops calls that the baseline itself cannot do.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/model/contract.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace agentic {

struct VariationRequest {
  const Contract *contract = nullptr;
  const std::vector<GlueParameter> *parameters = nullptr;
  const std::vector<PlannedCall> *recorded = nullptr;
  std::size_t most = 8;
  bool special = false;  ///< NaN and infinities, too
  std::string_view text; ///< of the baseline
};

/// Returns a few calls that always have their turn, and at most `most` others, each the largest cheap one with another
/// number that fulfils the contract's requirements: neighbours, the half and the double, 0, 1, the negative, the value
/// of another argument of that type, much larger ones where a loop up to them is cheap; for floating point the next
/// number, too. Scalars in a declared extent are left to generateCalls(). Ranges get shorter: those of equal length
/// together, and each alone. Always: each pointer null, the largest value of types of one and two bytes, and what
/// requirements and text compare an integer with, give or take 1.
std::vector<PlannedCall> variedCalls(const VariationRequest &request);

} // namespace agentic
