// What a client is told of a kernel: what a model inside the loop is told, and insight into its machine code.
#pragma once

#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/mcp/json_rpc.h"
#include "tool/model/run_state.h"

#include <optional>
#include <string>

namespace agentic::mcp {

/// Code, contract, rules, machine, sizes and what bounds the kernel. Cost: a compile and one benchmark process.
Result<Json> kernelFacts(Evaluator &evaluator, const RunState &state, const std::string &rooflineFile);
Json factsSchema();

/// nullopt: the baseline. Errors: the candidate is rejected by check, compile or audit, so nothing of it runs.
Result<Json> insightInto(Evaluator &evaluator, const std::optional<Candidate> &candidate,
                         const std::string &rooflineFile);
Json insightSchema();

} // namespace agentic::mcp
