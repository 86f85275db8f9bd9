// Makes the next request of a conversation from the attempts so far: a fold, so that a resumed run asks the same.
//
// full: the whole conversation, replies verbatim. compact (default): the rules, all tries as a table, the best source,
// the latest tries; no longer after 50 tries than after 5, made without a model. best: the rules and the best source.
#pragma once

#include "tool/agent/candidate_names.h"
#include "tool/agent/feedback.h"
#include "tool/agent/leaderboard.h"
#include "tool/agent/prompts.h"
#include "tool/agent/reply_parser.h"
#include "tool/agent/system_prompt.h"
#include "tool/llm/chat.h"
#include "tool/model/run_state.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

enum class History { Full, Compact, Best };
std::vector<std::string> historyNames();       ///< "full", "compact", "best", in the enum's order
History historyNamed(const std::string &name); ///< Compact for an unknown name

struct ConversationOptions {
  History history = History::Compact;
  SystemPromptOptions system;
  int maxOutputTokens = 16384;
  std::optional<double> temperature;
  std::optional<std::string> effort;
  std::optional<std::uint64_t> seed;
};

class Conversation {
public:
  Conversation(Prompts prompts, ConversationOptions options)
      : prompts_(std::move(prompts)), options_(std::move(options)) {}

  const ConversationOptions &options() const { return options_; }
  const Prompts &prompts() const { return prompts_; }
  void useTools(bool uses) { options_.system.usesTools = uses; }

  /// Makes the request after all of `exchanges`. `budgetUsd` below 0: there is no budget. `history` replaces the
  /// option's, for one request that must be shorter.
  ChatRequest request(const RunState &state, const std::vector<Exchange> &exchanges, double budgetUsd,
                      History history) const;

private:
  std::string first(const RunState &state, const std::string &budget) const;
  std::string compact(const RunState &state, const std::vector<Exchange> &exchanges, const std::string &budget) const;
  std::string best(const RunState &state, const std::vector<Exchange> &exchanges, const std::string &budget) const;
  void addAll(ChatRequest &request, const RunState &state, const std::vector<Exchange> &exchanges,
              double budgetUsd) const;
  void addAsked(ChatRequest &request, const RunState &state, const std::vector<Exchange> &exchanges, double budgetUsd,
                History history) const;
  void addAnswer(ChatRequest &request, const Exchange &exchange, const std::string &text) const;
  std::string shapes(const RunState &state) const { return options_.system.isBlind ? "" : shapesText(state); }

  Prompts prompts_;
  ConversationOptions options_;
};

} // namespace agentic
