// Learns where and by how much the baseline differs from itself, which no candidate can be asked to avoid: when it runs
// again, without fused multiply-adds, and with results rounded upward.
#pragma once

#include "tool/evaluate/differential/comparison.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <cstddef>
#include <string>
#include <vector>

namespace agentic {

struct SensitivityRequest {
  const ReplayContext *context = nullptr;
  const Plan *plan = nullptr;
  const ReplayOutcome *baseline = nullptr; ///< complete, of `plan`
  const GlueDescription *kernel = nullptr;
  Exactness exactness;
  std::string planFile;         ///< written already
  std::string library, unfused; ///< the baseline; the same without fusing, may be empty
  double timeoutSeconds = 60;
};

struct Sensitivity {
  std::vector<std::vector<OutputField>> fields; ///< per step
  std::vector<std::size_t> mayDiffer;           ///< elements that rounding may decide, per step
  ReplayOutcome uncontracted; ///< of `unfused`, if only contraction explains differences and nothing is declared
};

/// Cost: two or three runs of the baseline, side by side.
Result<Sensitivity> learnSensitivity(const SensitivityRequest &request);

} // namespace agentic
