// An agent that asks a language model.
//
// Its state is a fold over the run's state and the log of calls: a resumed run continues where the last one stopped,
// and a paid answer is used, whenever the process died.
#pragma once

#include "tool/agent/asker.h"
#include "tool/agent/call_in_flight.h"
#include "tool/agent/call_log.h"
#include "tool/agent/conversation.h"
#include "tool/agent/energy.h"
#include "tool/agent/research_sources.h"
#include "tool/agent/roles.h"
#include "tool/agent/spending.h"
#include "tool/base/time_limit.h"
#include "tool/llm/chat.h"
#include "tool/model/agent.h"
#include "tool/model/run_config.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

inline constexpr double kResearchShare = 0.15; ///< what a researcher beside a search may spend, of the run's budget

struct LlmAgentSettings {
  std::string label; ///< the model's label in records, tables and variants' headers: "openrouter:qwen/qwen3-coder"
  ModelConfig config;
  std::string runDirectory;
  MachineFacts machine;
  std::string knowledge;   ///< of kernels like this: SystemPromptOptions::knowledge
  std::string memory;      ///< of earlier runs: SystemPromptOptions::memory
  std::string conventions; ///< of the project, for its reviewer: parts of its own files, fenced
  Prices prices;
  bool isLocal = false;
  EnergySources energy;           ///< counters for a local model without watts
  std::int64_t contextTokens = 0; ///< input and output together; 0 = not known
  CallLog::Redact redact;
  Retries retry = usualRetries();
  const std::atomic<bool> *cancelled = nullptr;
  std::function<void(const std::string &what)> progress, note, warn; ///< as in AskOptions
  std::function<double()> spentElsewhere;                            ///< as in AskOptions
  RecordAnswer record;                                               ///< may be empty
  std::vector<RoleSeat> roles;                                       ///< beside the coder, which is this agent's model
  ResearchSources research;                                          ///< of the researcher
  double researchShare = kResearchShare;                             ///< of the run's budget
  std::vector<Hypothesis> hypotheses;                                ///< in place of a researcher's
  std::string provider;                                              ///< as in AskOptions
  std::shared_ptr<CallsInFlight> inFlight = std::make_shared<CallsInFlight>(); ///< of the run
};

/// Makes the conversation from the settings of a run. Errors: prompts that cannot be used.
Result<Conversation> makeConversation(const LlmAgentSettings &settings);

/// Lowers the output limit until it and a body of that many bytes fit into the context; returns false if too little is
/// left for a file. Always true for an unknown context size.
bool fitToContext(ChatRequest &request, std::size_t bodyBytes, std::int64_t contextTokens);

/// Tells the model what an earlier process of the run got from it.
void tellAgain(ChatModel &model, const CallRecord &call);

/// Makes the limits and prices of a model of the run; the second one: of the agent's own.
Spending makeSpending(const ModelConfig &config, bool isLocal, Prices prices);
Spending makeSpending(const LlmAgentSettings &settings);

/// Returns the seat of the agent's own model, as the coder.
RoleSeat ownSeat(const LlmAgentSettings &settings);
/// Returns how the model of this seat is asked. A seat without a model of its own is not filled in here: ownSeat().
AskOptions askOptions(const LlmAgentSettings &settings, const RoleSeat &seat);

class LlmAgent : public Agent {
public:
  /// Reads prompts and log. Errors: prompts that cannot be used, a damaged log.
  static Result<std::unique_ptr<LlmAgent>> create(std::unique_ptr<ChatModel> model, LlmAgentSettings settings);

  /// Returns one reply's candidates; unusable if it has none. Stops when a budget is spent, a stop file is there, too
  /// many tries failed in a row or the model can no longer be asked. Errors: the model cannot be asked at all, the
  /// records cannot be written; interrupted.
  Result<Proposal> propose(const RunState &state) override;

  /// Begins a call beside those in flight; CallsInFlight::most() says how many there may be. Messages of calls in
  /// flight are given in the loop's thread, when it begins or takes one.
  Result<Begun> begin(const RunState &state, const std::function<void()> &isReady) override;

  /// A reviewer that cannot be asked costs a note.
  Result<std::optional<Review>> review(const RunState &state, const ReviewQuestion &question) override;

  /// Asks the researcher alone, and returns its hypotheses; none if it has none, or the budget does not allow it.
  /// Errors: as of propose().
  Result<std::vector<Hypothesis>> research(const RunState &state);

  CallTotals totals() const { return log_.totals(); }
  double endedUsd() const { return log_.endedUsd(); } ///< CallLog::endedUsd()

private:
  LlmAgent(std::unique_ptr<ChatModel> model, LlmAgentSettings settings, CallLog log, Conversation conversation);
  void readExchanges(const RunState &state);
  /// `call`: one that was answered.
  Proposal proposalOf(int call, const RunState &state) const;
  /// Returns the proposal of an answered call, as far as its judge keeps it.
  Result<Proposal> finished(int call, const RunState &state, const TimeLimit &limit);
  std::string reasonToStop(const RunState &state) const;
  struct Failures {
    int inARow = 0; ///< the last replies without a candidate that passed every gate before the benchmark
    int open = 0;   ///< replies since then whose candidates have no verdict yet
  };
  Failures failures(const RunState &state) const;
  std::string reasonToWait(const RunState &state) const;
  /// Returns whether the loop has got its answer.
  static bool isTaken(const Exchange &exchange, const RunState &state) { return state.calls.contains(exchange.call); }
  bool isWaiting(const Exchange &exchange, const RunState &state) const;
  std::vector<Exchange> judgedExchanges(const RunState &state) const;
  Begun handedOut(int call, const std::function<void()> &isReady);
  /// The form of a request, by which a refusal is understood.
  struct Form {
    bool hadTools = false;
    History history = History::Full;
  };
  Form form() const { return {usesTools(), history()}; }
  bool mayTakeOtherForm(const AskFailure &failure, const Form &form) const;
  bool usesTools() const;
  History history() const;
  Result<Proposal> afterFailure(const AskFailure &failure, bool timeIsUp) const;
  std::expected<ChatRequest, AskFailure> nextRequest(const RunState &state, const std::vector<Exchange> &exchanges,
                                                     const std::string &plan = {});
  std::expected<void, AskFailure> ask(const RunState &state, const std::atomic<bool> *cancelled);
  std::expected<void, AskFailure> askCoder(const RunState &state, const std::atomic<bool> *cancelled);
  double budgetUsd() const; ///< below 0: no call is billed

  std::unique_ptr<ChatModel> model_;
  LlmAgentSettings settings_;
  Mailbox mailbox_;
  CallLog log_;
  Conversation conversation_;
  EnergyCounters energy_;
  std::unique_ptr<Asker> asker_;
  std::unique_ptr<Roles> roles_; ///< nullptr: one model is asked for files, and for nothing else
  std::vector<Exchange> exchanges_;
  std::size_t readCalls_ = 0;
  double readUsd_ = 0;
  int tooLong_ = 0;           ///< requests that the server rejected as too long
  bool takesNoTools_ = false; ///< the server said so
  int lastOfEarlier_ = 0;     ///< the last call of an earlier process of the run
  std::set<int> handedOut_;   ///< calls of an earlier process whose answers begin() has handed out
  int inFlight_ = 0;          ///< begun by begin(), and not taken
};

/// Returns a model's name for readers: a command without its folder and arguments, an address without the parts that
/// may be secret.
std::string agentLabel(const std::string &name);

/// Returns the call number in an LlmAgent's origin ("… call 12"); 0 for any other.
int callOfOrigin(const std::string &origin);

} // namespace agentic
