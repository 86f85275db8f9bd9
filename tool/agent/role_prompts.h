// The requests to roles (model/role.h). They show files of candidates, verdicts and the kernel; never tests, benchmarks
// or expected values. Sizes: a system prompt of at most about 100 KiB, and at most 72 KiB about candidates. Pure.
#pragma once

#include "tool/agent/candidate_names.h"
#include "tool/agent/changes.h"
#include "tool/agent/prompts.h"
#include "tool/agent/role_replies.h"
#include "tool/agent/system_prompt.h"
#include "tool/llm/chat.h"
#include "tool/model/run_state.h"

#include <cstddef>
#include <string>

namespace agentic {

/// Neither a judge nor a fixer is asked about longer files: what they would see would be cut.
inline constexpr std::size_t kMostRoleFileBytes = 32u << 10;

struct RoleContext {
  const Prompts &prompts;
  const RunState &state;
  const CandidateNames &names;
  const SystemPromptOptions &system;
};

/// Asks for `count` next steps from `state.ask`'s parent; without a strategy, from the best so far.
ChatRequest plannerRequest(const RoleContext &context, int count);

/// Asks for the attempt's file without its fault. A request like that for any file, as text.
ChatRequest fixerRequest(const RoleContext &context, std::size_t attempt);

/// Asks whether the candidate is worth trying.
ChatRequest judgeRequest(const RoleContext &context, const Candidate &candidate);

ChatRequest summarizerRequest(const RoleContext &context, const Change &change);

/// Returns what is added to the question for a file that carries out this plan.
std::string planText(const Prompts &prompts, const StepPlan &plan);

} // namespace agentic
