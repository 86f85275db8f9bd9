// Asks a model one question with all necessary steps: reserves, journals, sends, retries where that helps, settles.
// Several threads may ask at once.
#pragma once

#include "tool/agent/call_log.h"
#include "tool/agent/calls_in_flight.h"
#include "tool/agent/spending.h"
#include "tool/llm/chat.h"

#include <atomic>
#include <expected>
#include <functional>
#include <memory>
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
  double unforeseenUsd = 0;            ///< CallTotals::unforeseenUsd of earlier runs of the command
  std::optional<double> shareUsd = {}; ///< the most that calls of the same role may cost together; nullopt: no limit
  RecordAnswer record = {};            ///< may be empty
  std::string provider = {};           ///< who is asked to wait where one asks for a pause; empty: `label`
  /// Of the run. All functions above but `wait` are called with its lock.
  std::shared_ptr<CallsInFlight> inFlight = std::make_shared<CallsInFlight>();
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
  Asker(ChatModel &model, CallLog &log, Spending spending, AskOptions options);

  const Spending &spending() const { return spending_; }

  /// Asks, and returns the number of the call, whose answer is then in the log. A call that the budget does not have
  /// room for waits until those in flight are settled. `purpose`, `question`: why it is made and what it answers, for
  /// the log.
  std::expected<int, AskFailure> ask(const ChatRequest &request, const std::atomic<bool> *cancelled,
                                     const CallPurpose &purpose = {},
                                     const std::optional<Ask> &question = std::nullopt);

private:
  /// One attempt of a call, from 1; the first one gets its number when it is reserved.
  struct Attempt {
    const ChatRequest &request;
    const std::string &body;
    const CallPurpose &purpose;
    const std::optional<Ask> &question;
    const std::atomic<bool> *cancelled;
    int call = 0, number = 1;
    double worstUsd = 0, mostUsd = 0; ///< reserved; what a program is told that it may spend
  };
  std::expected<void, AskFailure> reserve(Attempt &attempt);
  std::expected<ChatResult<ChatReply>, AskFailure> make(Attempt &attempt);
  Result<void> settle(const Attempt &attempt, const ChatResult<ChatReply> &reply, double seconds);
  std::optional<double> pauseAfter(const ChatError &error, int failures);
  bool waitsForProvider(double &waitedUntil, const std::atomic<bool> *cancelled);
  bool wait(double seconds, const std::atomic<bool> *cancelled) const;
  /// Returns the joules since the last call; of calls side by side, the first that ends gets what they used together.
  std::optional<double> joules(bool isEnd);
  ChatModel &model_;
  CallLog &log_;
  Spending spending_;
  AskOptions options_;
  int open_ = 0;              ///< calls in flight; with CallsInFlight's lock, like the next
  double joulesOfOthers_ = 0; ///< used by calls in flight until another one began
};

} // namespace agentic
