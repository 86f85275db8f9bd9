// The record of a run's calls of models: <run>/calls.jsonl, append-only, one JSON object a line with "v", "event",
// "time" and "at".
//
// Events: reserved {call, attempt, agent, role, about, told, request_hash, request_bytes, max_output_tokens, worst_usd,
// ask} before a request is sent ("ask" only of a call beside others: a run that goes on must know which question its
// answer belongs to; "told" only of a researcher: what was looked up for it, which nobody looks up again); settled
// {call, attempt, outcome, cost_usd, cost_source, watt_hours, usage, seconds, first_token_seconds, finish, message}
// after it. Beside them, in calls/, <call>-<attempt>.request.json and .reply.json; a reply's file is whole before its
// call is settled. So the process may die at any time: a reservation without a settlement counts as spent, unless its
// reply is there; then it is settled when the log is opened again.
//
// An answered call waits for the disk twice: reservation and reply's file are fsynced. That file also has the data of
// the settlement, and nothing depends on the request's file.
//
// Several calls may be open at a time. The order of the settlements is the order in which answers are used, also by a
// run that goes on.
#pragma once

#include "tool/agent/spending.h"
#include "tool/base/error.h"
#include "tool/llm/chat.h"
#include "tool/model/ask.h"
#include "tool/model/call_totals.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace agentic {

inline constexpr const char *kAnswered = "answered";

/// Why a model is called, in a run with roles.
struct CallPurpose {
  std::string role;      ///< "planner", … (model/role.h); empty: a run without roles
  std::string about;     ///< what the answer is for: a candidate's id, a round and a parent, a plan; may be empty
  std::string told = {}; ///< the question, where it holds what a run that goes on may find no more; or empty
};

struct CallRecord {
  int call = 0, attempt = 0; ///< from 1; the attempts of one call ask the same
  std::string agent;
  CallPurpose purpose = {};
  std::string requestHash;
  double worstUsd = 0;
  std::string outcome; ///< kAnswered, the error's kind, or empty: never settled
  CallCost cost;       ///< its reservation if the call was never settled
  ChatUsage usage;
  double seconds = 0;
  std::optional<ChatReply> reply;
  std::optional<Ask> ask; ///< what it answers, of a call beside others
  bool isAnswered() const { return outcome == kAnswered; }
};

CallTotals totalsOf(std::span<const CallRecord> calls);

/// Returns the totals of each role; empty for a run without roles.
std::map<std::string, CallTotals> totalsByRole(std::span<const CallRecord> calls);

/// Thread-safe, but for calls().
class CallLog {
public:
  using Redact = std::function<std::string(std::string text)>;

  /// Opens the log of a run's directory; empty if no call was made yet. `redact` removes secrets from everything
  /// written.
  static Result<CallLog> open(const std::string &runDirectory, Redact redact);

  /// Reads the log without writing.
  static Result<std::vector<CallRecord>> read(const std::string &runDirectory);

  /// Returns all attempts in the order of their reservations; while no call is open.
  const std::vector<CallRecord> &calls() const { return calls_; }
  /// Returns the attempts that are over in the order in which they ended, without the first `known` of them. One that
  /// its process did not survive has ended when it was reserved.
  std::vector<CallRecord> endedAfter(std::size_t known) const;
  int nextCall() const;
  CallTotals totals() const;                   ///< open reservations count as spent
  double endedUsd() const;                     ///< without them
  double usdOf(const std::string &role) const; ///< of one role; open reservations count as spent

  /// Reserves a call before its request is sent. `agent`: its name in records.
  Result<void> reserve(int call, int attempt, const std::string &agent, const ChatRequest &request,
                       const std::string &body, double worstUsd, const CallPurpose &purpose = {},
                       const std::optional<Ask> &ask = std::nullopt);
  /// Records the end of a call that was reserved.
  Result<void> answered(int call, int attempt, const ChatReply &reply, const CallCost &cost);
  Result<void> failed(int call, int attempt, const ChatError &error, const CallCost &cost, double seconds);

  /// Returns the path of a call's files, without their endings: "<run>/calls/0003-1".
  static std::string fileOf(const std::string &runDirectory, int call, int attempt);

private:
  CallLog(std::string directory, Redact redact) : directory_(std::move(directory)), redact_(std::move(redact)) {}
  Result<void> load();
  /// Reads an answered call's reply; returns true if its settlement is not in the log.
  Result<bool> readReply(CallRecord &record) const;
  std::string redacted(std::string text) const { return redact_ ? redact_(std::move(text)) : text; }
  std::string line(const char *event, const std::string &body) const;
  Result<void> append(const char *event, const std::string &body) const;
  CallRecord &ended(int call, int attempt);
  std::string directory_;
  Redact redact_;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::vector<CallRecord> calls_;
  std::vector<std::size_t> ended_; ///< indices into calls_
};

} // namespace agentic
