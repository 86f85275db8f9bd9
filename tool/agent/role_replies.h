// Reads what roles answer: lines that begin with a label. Replies are hostile text: whatever they hold, what is read is
// bounded, printable and one line each, and a reply that keeps no form gives nothing.
#pragma once

#include "tool/agent/hypotheses.h"
#include "tool/llm/chat.h"
#include "tool/model/role.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

inline constexpr std::size_t kRoleLineBytes = 600; ///< limit of each text that is read
inline constexpr std::size_t kRoleTitleBytes = 120;

/// One step that a planner proposes.
struct StepPlan {
  std::string step, why;
  std::optional<double> gain; ///< expected speedup over the parent; nullopt: none that could be
  int hypothesis = 0;         ///< number, from 1, of the one that it carries out; 0: none
};

/// What a researcher wants to read: what some words find, or what has a name.
struct Lookup {
  bool isByName = false;
  std::string words;
};

/// Hypotheses, or else what is to be looked up first.
struct ResearchAnswer {
  std::vector<Lookup> lookups;
  std::vector<Hypothesis> hypotheses;
};
inline constexpr std::size_t kMostLookups = 3, kMostHypotheses = 8; ///< of one answer

/// Reads "PLAN: …", "GAIN: 1.5", "WHY: …", "HYPOTHESIS: 2" of each plan, at most `most`; one without a step or a reason
/// is none.
std::vector<StepPlan> readPlans(const ChatReply &reply, std::size_t most);

/// Reads "VERDICT: keep", or "wrong" or "same" with "WHY: …"; an objection without a reason, or with two verdicts, is
/// none. The candidate, and whether it is dropped, are the caller's.
Opinion readOpinion(const ChatReply &reply);

/// Reads "TITLE: …", "WHAT: …" and "WHY: …", each once; nullopt if one is missing. Ids and figures are the caller's.
std::optional<Summary> readSummary(const ChatReply &reply);

/// Reads "HYPOTHESIS: …", "WHY: …", "GAIN: 1.5", "RISK: …", "SOURCE: …" of each hypothesis; one without a reason is
/// none. Without any: the lines "SEARCH: words" and "SHOW: name".
ResearchAnswer readResearch(const ChatReply &reply);

} // namespace agentic
