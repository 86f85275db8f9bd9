// The roles of one agent that asks a model (model/role.h), beside its coder.
//
// Their calls are in the agent's log and under its budget. What an answer is for is its key there: a role that has
// answered is not asked again, whenever the process died. A role that cannot be asked (the budget, its context, three
// failures in a row) is done without; one that never could is the user's error.
#pragma once

#include "tool/agent/asker.h"
#include "tool/agent/call_log.h"
#include "tool/agent/conversation.h"
#include "tool/agent/hypotheses.h"
#include "tool/agent/judge_standing.h"
#include "tool/agent/research_sources.h"
#include "tool/agent/role_prompts.h"
#include "tool/base/error.h"
#include "tool/model/agent.h"
#include "tool/model/role.h"

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agentic {

struct LlmAgentSettings;

/// A role, with its model.
struct RoleSeat {
  Role role = Role::Coder;
  std::shared_ptr<ChatModel> model; ///< nullptr: the agent's own; then the rest is the agent's
  std::string label;
  Prices prices;
  bool isLocal = false;
  std::int64_t contextTokens = 0;
  int maxOutputTokens = 16384;
  RecordAnswer record = {};
  std::string provider = {}; ///< as in AskOptions
};

class Roles {
public:
  /// `own`, `log`, `conversation` outlive it.
  Roles(const LlmAgentSettings &settings, ChatModel &own, CallLog &log, const Conversation &conversation);

  bool isOn(Role role) const { return seats_.contains(role); }

  /// Returns the plan for the next file, and its place in the log for CallPurpose::about; nullopt: there is none. It is
  /// the planner's; without one, the next hypothesis. Before the first file, the researcher is asked.
  /// `answers`: how many files and fixes were answered so far.
  struct Chosen {
    StepPlan plan;
    std::string about;
  };
  std::expected<std::optional<Chosen>, AskFailure> plan(const RunState &state, const CandidateNames &names,
                                                        std::size_t answers, const std::atomic<bool> *cancelled);

  /// Asks the researcher, once; `mayAsk`: no file was answered yet. Does nothing if it is off or hypotheses were given.
  std::expected<void, AskFailure> research(const RunState &state, const CandidateNames &names, bool mayAsk,
                                           const std::atomic<bool> *cancelled);
  /// Returns what the researcher answered, or what was given; empty: nothing so far.
  std::span<const Hypothesis> hypotheses() const {
    return researched_ ? std::span<const Hypothesis>(researched_->hypotheses) : std::span<const Hypothesis>();
  }

  /// Returns the attempt that is mended next: the last answer's, if check, compiler or tests refused all of it, and it
  /// was not mended twice already.
  std::optional<std::size_t> broken(const RunState &state, const std::vector<Exchange> &exchanges) const;

  /// Asks the fixer; true: its answer is then in the log.
  std::expected<bool, AskFailure> fix(const RunState &state, const CandidateNames &names, std::size_t attempt,
                                      const std::atomic<bool> *cancelled);

  /// Adds the judge's words to the proposal, and drops what they drop.
  std::expected<void, AskFailure> judge(Proposal &proposal, const RunState &state, const CandidateNames &names,
                                        const std::atomic<bool> *cancelled);

  /// Adds what the summarizer says of changes that it was not asked about.
  std::expected<void, AskFailure> summarize(Proposal &proposal, const RunState &state, const CandidateNames &names,
                                            const std::atomic<bool> *cancelled);

  /// Asks the reviewer; nullopt: it is off or not asked.
  std::expected<std::optional<Review>, AskFailure> review(const RunState &state, const CandidateNames &names,
                                                          const ReviewQuestion &question,
                                                          const std::atomic<bool> *cancelled);

private:
  struct Seated {
    RoleSeat seat;
    ChatModel *model = nullptr;
    std::unique_ptr<Asker> asker;
    std::optional<double> temperature = {};
    int failures = 0;
  };
  /// What came of the researcher's questions, or what was given in its place.
  struct Researched {
    int call = 0; ///< whose answer holds the hypotheses, in this order; 0: none was answered, or they were given
    std::vector<Hypothesis> hypotheses;
  };
  /// nullopt: a recording ends here.
  std::optional<std::string> researchQuestionOf(const RoleContext &context, int turn, const std::string &before,
                                                const std::vector<Lookup> &lookups) const;
  std::vector<LookedUp> lookedUp(const std::vector<Lookup> &lookups) const;
  std::optional<Chosen> nextHypothesis(const RunState &state) const;
  Result<void> writeResearch(const std::string &kernel) const;
  RoleContext contextOf(const RunState &state, const CandidateNames &names) const {
    return {conversation_.prompts(), state, names, conversation_.options().system};
  }
  /// Returns the call with this answer; nullptr: there is none. It is valid until the next call is reserved, here and
  /// below.
  const CallRecord *answered(Role role, const std::string &about) const;
  std::expected<const CallRecord *, AskFailure> ask(Role role, const std::string &about, ChatRequest request,
                                                    const std::atomic<bool> *cancelled);
  std::expected<const CallRecord *, AskFailure> without(Seated &seated, AskFailure failure);

  CallLog &log_;
  const Conversation &conversation_;
  std::string conventions_;
  std::function<void(const std::string &what)> note_;
  std::map<Role, Seated> seats_;
  ResearchSources sources_;
  std::string runDirectory_;
  CallLog::Redact redact_;
  std::optional<Researched> researched_; ///< nullopt: the researcher may still be asked
};

} // namespace agentic
