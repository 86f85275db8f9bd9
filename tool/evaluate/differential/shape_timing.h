// Checks that a candidate is as fast on shapes that no benchmark measures: a path for one literal shape must not make
// the others slower.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/statistics.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"
#include "tool/model/contract.h"

#include <cstdint>
#include <string>
#include <vector>

namespace agentic {

struct ShapeTimingRequest {
  const GlueDescription *kernel = nullptr;
  const Contract *contract = nullptr;
  const std::vector<RecordedCall> *recorded = nullptr;
  std::string baseline, candidate; ///< shared objects
  std::string directory;           ///< folder for the plan; exists
  DecisionRule rule;
  std::uint64_t seed = 1; ///< secret
  int shapes = 4;         ///< limit
};

struct ShapeTimings {
  int shapes = 0;
  std::vector<Speedup> slower; ///< the shapes on which the candidate is slower by more than 3 %
  std::string none;            ///< why no shape was timed; else empty
};

/// Times generated neighbours of the benchmarks' shapes (sizes one more, one less, half …, each at least an eighth of
/// the work) in fresh runner processes, baseline and candidate in pairs, under the machine's measuring lock. Cost:
/// about 0.05 s per shape and pair, 3 to 12 pairs.
Result<ShapeTimings> timeShapes(const ReplayContext &context, const ShapeTimingRequest &request);

} // namespace agentic
