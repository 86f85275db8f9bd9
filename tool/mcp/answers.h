// What a client hears of a run: the structured results of tools. Pure: records in, JSON out.
//
// It hears what a model inside the loop hears (agent/feedback.h): no test code, no expected value.
#pragma once

#include "tool/mcp/json_rpc.h"
#include "tool/model/run_state.h"
#include "tool/run/optimize_run.h"
#include "tool/search/journal.h"

#include <string>

namespace agentic::mcp {

inline constexpr const char *kOrigin = "mcp: "; ///< begins the origin of a client's candidate; its name follows

/// Returns a client's name of a candidate, fit for records and headers: at most 40 of A-Z a-z 0-9 . _ -
std::string plainName(const std::string &name);

/// The verdict on the attempt with this index.
Json attemptAnswer(const RunState &state, std::size_t index);
Json attemptSchema();

/// All attempts of a run, its best first; with a candidate's id, that one with its source. Null: it has no such one.
Json attemptsAnswer(const RunRecord &record, const std::string &candidate);
Json attemptsSchema();

/// What came of a run that has ended.
Json finishAnswer(const OptimizedKernel &run);
/// The same of a run of another process, as far as its records tell.
Json finishAnswer(const RunRecord &record);
Json finishSchema();

/// The state of a run as its records tell it.
RunState stateOf(const RunRecord &record);

} // namespace agentic::mcp
