// What a report says of a run's strategy and roles: who descends from whom, by which role and model, and the cells of
// archives.
#pragma once

#include "tool/agent/call_log.h"
#include "tool/agent/hypotheses.h"
#include "tool/model/search_branch.h"
#include "tool/report/run_report.h"
#include "tool/search/journal.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace agentic {

/// What an agent was told to carry out.
struct ToldAgent {
  std::span<const CallRecord> calls;
  std::span<const Hypothesis> given = {}; ///< in place of a researcher's
};

/// Adds role, model, plan and hypothesis of the attempt that this call's reply holds.
void addRoleOf(ReportAttempt &attempt, int call, const ToldAgent &told);

/// Adds the hypotheses of an agent with what came of them, once its attempts are there. `agent`: its label if there are
/// several.
void addHypotheses(RunReport &report, const std::string &agent, const ToldAgent &told);

/// Adds the strategy, the tree, the cells and the judge's standing, once the attempts and roles are there.
void addTree(RunReport &report, const RunRecord &record);

/// Returns what the run's strategy shows of itself while it runs; empty if it has no parts.
std::vector<SearchBranch> branchesIn(const RunRecord &record);

/// Returns the totals of the roles of all agents of a run; empty if it has none, or its calls cannot be read.
std::map<std::string, CallTotals> roleTotalsOf(const std::string &runDirectory, const RunConfig &config);

} // namespace agentic
