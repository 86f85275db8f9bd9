// One question to a model, whatever it takes: reserved, journaled, sent, tried again where that helps, settled.
#pragma once

#include "tool/agent/call_log.h"
#include "tool/agent/spending.h"
#include "tool/llm/chat.h"

#include <atomic>
#include <expected>
#include <functional>
#include <optional>
#include <string>

namespace agentic {

/// Seconds to wait before the next attempt, after `failures` of this kind in a row (from 1); nullopt = give up.
using Retries = std::function<std::optional<double>(const ChatError &error, int failures)>;

/// Sees every attempt once it is settled in the log: what is paid for is kept whatever becomes of a recording.
using RecordAnswer = std::function<void(const ChatRequest &request, const ChatResult<ChatReply> &answer)>;

/// By the table of llm/retry.h, with pauses that no two runs make at the same times.
Retries usualRetries();

struct AskOptions {
  std::string label; ///< of the model, in records
  Retries retry = usualRetries();
  /// Waits; false = cancelled meanwhile.
  std::function<bool(double seconds, const std::atomic<bool> *cancelled)> wait;
  std::function<void(const std::string &what)> progress; ///< "asking x (call 3, up to $0.02)"; may be empty
  std::function<void(const std::string &what)> note;     ///< why the call is made again, and when; may be empty
  std::function<void(const std::string &what)> warn;     ///< a call cost more than was left; may be empty
  std::function<std::optional<double>()> joules;         ///< of this machine since the last call of it; may be empty
  /// Out of the same budget, by other agents of the run and by earlier runs of the command; may be empty.
  std::function<double()> spentElsewhere = {};
  double unforeseenUsd = 0; ///< CallTotals::unforeseenUsd of earlier runs of the command
  RecordAnswer record = {}; ///< may be empty
};

struct AskFailure {
  enum class Kind { Budget, Model, Records };
  Kind kind = Kind::Model;
  std::string text; ///< Budget: why nothing was sent
  ChatError error;  ///< Model: the last attempt's
  Error records;    ///< Records: the log cannot be written
};

class Asker {
public:
  Asker(ChatModel &model, CallLog &log, Spending spending, AskOptions options)
      : model_(model), log_(log), spending_(std::move(spending)), options_(std::move(options)) {}

  const Spending &spending() const { return spending_; }

  /// The answered call's record is then the log's last.
  std::expected<void, AskFailure> ask(const ChatRequest &request, const std::atomic<bool> *cancelled);

private:
  std::expected<ChatResult<ChatReply>, AskFailure> attempt(int call, int number, const ChatRequest &request,
                                                           const std::string &body, const std::atomic<bool> *cancelled);
  ChatModel &model_;
  CallLog &log_;
  Spending spending_;
  AskOptions options_;
};

} // namespace agentic
