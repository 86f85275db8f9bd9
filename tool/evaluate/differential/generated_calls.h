// Generates new calls from the contract: other sizes, other contents. Held out: an agent never learns of them.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/model/contract.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct GenerationRequest {
  const Contract *contract = nullptr;
  const std::vector<GlueParameter> *parameters = nullptr;
  const std::vector<PlannedCall> *recorded = nullptr; ///< at least one: contents are taken from these
  std::uint64_t seed = 1;
  int calls = 8;                    ///< limit
  std::size_t byteLimit = 4u << 20; ///< limit of one call's buffers, but each kind of contents has a first turn
  int longestTail = 129;            ///< sizes 0 … 2·VL + 1 are tried: VL = elements of a vector register
  bool specialValues = false;       ///< NaN, infinities, -0 and denormals among floating-point inputs
  bool isNeighbour = false;         ///< sizes near the recorded ones only, with their contents
  bool extremes = false;            ///< smallest and largest integers among integer inputs
  bool hasFixedTurns = false;       ///< besides `calls`, those that must not depend on the seed
  std::string_view text;            ///< of the baseline: fixed turns try what it compares a size with
};

struct GeneratedCalls {
  std::vector<PlannedCall> calls;
  std::string none; ///< why there are no calls: "the extent of 'x' is not declared"; else empty
};

/// Integer parameters that extents name get other values (small ones, neighbours of the recorded ones) for which the
/// requirements hold; inputs are repeated, rotated, sorted or made constant from recorded elements, so that they stay
/// in the domain that the project uses. Parameters that may alias do, in some calls. The caller drops calls that the
/// baseline itself cannot do (it faults, or its instrumented build does).
///
/// Fixed turns come first, are small and have few steps. Each size alone, in a recorded call of some KiB, is 0, 1 and
/// what requirements and text compare it with, give or take 1. Parameters that may alias overlap by none, one and about
/// a vector's width. And each size alone is 16 to 32 times the largest recorded one, as far as that takes at most 1 MiB
/// and next to no time.
GeneratedCalls generateCalls(const GenerationRequest &request);

} // namespace agentic
