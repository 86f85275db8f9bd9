// What a report says of a run's strategy and roles: who descends from whom, by which role and model, and the cells of
// archives.
#pragma once

#include "tool/agent/call_log.h"
#include "tool/report/run_report.h"
#include "tool/search/journal.h"

#include <map>
#include <span>
#include <string>

namespace agentic {

/// Adds role, model and plan of the attempt that this call's reply holds.
void addRoleOf(ReportAttempt &attempt, int call, std::span<const CallRecord> calls);

/// Adds the strategy, the tree, the cells and the judge's standing, once the attempts and roles are there.
void addTree(RunReport &report, const RunRecord &record);

/// Returns the totals of the roles of all agents of a run; empty if it has none, or its calls cannot be read.
std::map<std::string, CallTotals> roleTotalsOf(const std::string &runDirectory, const RunConfig &config);

} // namespace agentic
