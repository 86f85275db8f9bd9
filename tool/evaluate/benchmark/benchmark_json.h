// JSON of what the benchmark stage is asked and answers, for files and for other machines. Reading throws
// nlohmann::json::exception where a field is missing or of another type.
#pragma once

#include "tool/evaluate/benchmark/benchmark_stage.h"

#include <nlohmann/json.hpp>

namespace agentic {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenchmarkProgramFacts, target, names, repetitions, seconds, wallPerCpu,
                                   pausedPerIteration, minTimeSuffix, leftOut, filter, printed, byWallTime, unseen,
                                   cpuShare, kernelShare)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DecisionRule, threshold, stages, minimumPairs, bootstrapSamples, confidence, seed,
                                   needsPromise, isClaim)
/// Without the host: who was answered knows it.
void to_json(nlohmann::json &json, const BenchmarkOutcome &outcome);
void from_json(const nlohmann::json &json, BenchmarkOutcome &outcome);

} // namespace agentic
