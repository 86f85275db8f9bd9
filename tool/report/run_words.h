// The words that text and Markdown share about a run. Foreign text in them is not escaped yet. Pure.
#pragma once

#include "tool/report/run_report.h"
#include "tool/report/table.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace agentic {

std::string endingText(const RunReport &run);  ///< "the iteration budget is spent", "unfinished"
std::string winnerText(const RunReport &run);  ///< "3.87 ms  c0123456789 (how it was made)", or that there is none
std::string speedupText(const RunReport &run); ///< "2.00x [1.90, 2.10]  built as it ships, …"; empty without a winner
std::string countsText(const RunReport &run);
/// Returns "accepted", "not-faster", "rejected", "refused" (accepted, but not confirmed) or "reply" (without a
/// candidate).
const char *verdictOf(const ReportAttempt &attempt);
/// Returns the verdict with the stage: "rejected by check", "refused by confirm".
std::string verdictText(const ReportAttempt &attempt);
/// Returns what the search measured: "2.00x (estimate)"; "about 1.80x" if it was only concluded; or empty.
std::string searchSpeedupText(const ReportAttempt &attempt);
/// Returns "planner 3 calls …" of each role; empty without roles.
std::vector<std::string> roleCosts(const std::map<std::string, CallTotals> &roles);

/// Returns what a tree says of an attempt: "accepted, 2.41x, openai:x as coder: keep sums in registers".
std::string branchText(const ReportAttempt &attempt);

/// Returns whether a hypothesis held: "held" (a candidate that carries it out was faster than the best before it), "did
/// not" or "not tried".
const char *outcomeOf(const RunReport &run, const ReportHypothesis &hypothesis);
/// Returns the same with the best of its candidates: "held: c0123 accepted, 2.41x", "did not: c0123 rejected by test".
std::string outcomeText(const RunReport &run, const ReportHypothesis &hypothesis);
/// Returns what was expected: "2. keep the sums in registers (expected 1.4x, from lanes-for-a-sum)".
std::string hypothesisText(const ReportHypothesis &hypothesis);

bool hasSeveralAgents(const RunReport &run);

/// Returns the fastest accepted attempts, then those that were tested and measured, at most `most`.
std::vector<const ReportAttempt *> bestAttempts(const RunReport &run, std::size_t most);

} // namespace agentic
