// Asks a model one question with all necessary steps: reserves, journals, sends, retries where that helps, settles.
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

/// Returns the seconds to wait before the next attempt, after `failures` of this kind in a row (from 1); nullopt = give
/// up.
using Retries = std::function<std::optional<double>(const ChatError &error, int failures)>;

/// Gets every attempt once it is settled in the log: a paid answer is kept even if the recording fails.
using RecordAnswer = std::function<void(const ChatRequest &request, const ChatResult<ChatReply> &answer)>;

/// Returns the retries by the table of llm/retry.h, with random pauses that differ between runs.
Retries usualRetries();

struct AskOptions {
  std::string label; ///< label of the model in records
  Retries retry = usualRetries();
  /// Waits; returns false if cancelled meanwhile.
  std::function<bool(double seconds, const std::atomic<bool> *cancelled)> wait;
  std::function<void(const std::string &what)> progress; ///< "asking x (call 3, up to $0.02)"; may be empty
  std::function<void(const std::string &what)> note;     ///< why the call is made again, and when; may be empty
  std::function<void(const std::string &what)> warn;     ///< a call cost more than was left; may be empty
  std::function<std::optional<double>()> joules;         ///< joules of this machine since the last call; may be empty
  /// Returns what other agents of the run and earlier runs of the command spent of the same budget; may be empty.
  std::function<double()> spentElsewhere = {};
  double unforeseenUsd = 0; ///< CallTotals::unforeseenUsd of earlier runs of the command
  RecordAnswer record = {}; ///< may be empty
};

struct AskFailure {
  enum class Kind { Budget, Model, Records };
  Kind kind = Kind::Model;
  std::string text; ///< Budget: why the request was not sent
  ChatError error;  ///< Model: error of the last attempt
  Error records;    ///< Records: the log cannot be written
};

class Asker {
public:
  Asker(ChatModel &model, CallLog &log, Spending spending, AskOptions options)
      : model_(model), log_(log), spending_(std::move(spending)), options_(std::move(options)) {}

  const Spending &spending() const { return spending_; }

  /// Asks; the answered call's record is then the log's last.
  std::expected<void, AskFailure> ask(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                      const CallPurpose &purpose = {});

private:
  std::expected<ChatResult<ChatReply>, AskFailure> attempt(int call, int number, const ChatRequest &request,
                                                           const std::string &body, const std::atomic<bool> *cancelled,
                                                           const CallPurpose &purpose);
  ChatModel &model_;
  CallLog &log_;
  Spending spending_;
  AskOptions options_;
};

} // namespace agentic
