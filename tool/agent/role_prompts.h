// The requests to roles (model/role.h). They show files of candidates, verdicts and the kernel; never tests, benchmarks
// or expected values. Sizes: a system prompt of at most about 100 KiB, and at most 72 KiB about candidates. Pure.
#pragma once

#include "tool/agent/candidate_names.h"
#include "tool/agent/changes.h"
#include "tool/agent/prompts.h"
#include "tool/agent/research_sources.h"
#include "tool/agent/role_replies.h"
#include "tool/agent/system_prompt.h"
#include "tool/llm/chat.h"
#include "tool/model/agent.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace agentic {

/// No judge, fixer or reviewer is asked about longer files: what they would see would be cut.
inline constexpr std::size_t kMostRoleFileBytes = 32u << 10;

struct RoleContext {
  const Prompts &prompts;
  const RunState &state;
  const CandidateNames &names;
  const SystemPromptOptions &system;
};

/// Asks for `count` next steps from `state.ask`'s parent; without a strategy, from the best so far. `hypotheses`: the
/// researcher's.
ChatRequest plannerRequest(const RoleContext &context, int count, std::span<const Hypothesis> hypotheses = {});

/// Asks for the attempt's file without its fault. A request like that for any file, as text.
ChatRequest fixerRequest(const RoleContext &context, std::size_t attempt);

/// Asks whether the candidate is worth trying.
ChatRequest judgeRequest(const RoleContext &context, const Candidate &candidate);

ChatRequest summarizerRequest(const RoleContext &context, const Change &change);

/// What a researcher looked up.
struct LookedUp {
  Lookup lookup;
  std::vector<Retrieved> found;
};

/// Returns the first question to a researcher. `left`: how often it may look things up, here and below.
std::string researchQuestion(const RoleContext &context, const std::vector<Retrieved> &known, int left);
/// Returns the question after `before`, with what was looked up since.
std::string nextResearchQuestion(const Prompts &prompts, const std::string &before, const std::vector<LookedUp> &found,
                                 int left);
ChatRequest researcherRequest(const RoleContext &context, std::string question);

/// Asks for the winner as a text that is simpler to read. `conventions`: LlmAgentSettings::conventions.
ChatRequest reviewerRequest(const RoleContext &context, const ReviewQuestion &question, const std::string &conventions);

/// Returns what is added to the question for a file that carries out this plan.
std::string planText(const Prompts &prompts, const StepPlan &plan);

} // namespace agentic
