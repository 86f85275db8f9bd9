// The traffic that benchmarks' calls cannot avoid, from the baseline's results (benchmark/physical_floor.h).
#pragma once

#include "tool/evaluate/benchmark/physical_floor.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <vector>

namespace agentic {

/// Returns the traffic of the plan's calls that benchmarks made. `baseline` has done every step.
std::vector<BenchmarkCall> benchmarkTraffic(const Plan &plan, const ReplayOutcome &baseline);

} // namespace agentic
