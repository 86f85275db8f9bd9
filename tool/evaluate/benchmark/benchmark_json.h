// JSON of what the benchmark stage is asked and answers, for files and for other machines. Reading throws
// nlohmann::json::exception where a field is missing or of another type.
#pragma once

#include "tool/evaluate/benchmark/benchmark_stage.h"

#include <nlohmann/json_fwd.hpp>

namespace agentic {

void to_json(nlohmann::json &json, const BenchmarkProgramFacts &facts);
void from_json(const nlohmann::json &json, BenchmarkProgramFacts &facts);
void to_json(nlohmann::json &json, const DecisionRule &rule);
void from_json(const nlohmann::json &json, DecisionRule &rule);
void to_json(nlohmann::json &json, const BenchmarkOutcome &outcome);
void from_json(const nlohmann::json &json, BenchmarkOutcome &outcome);

} // namespace agentic
