// Work that outlasts a call: every call that may take long makes one, waits for it for a while, and names it.
#pragma once

#include "tool/base/error.h"
#include "tool/mcp/host.h"

#include <condition_variable>
#include <mutex>
#include <string>

namespace agentic::mcp {

/// Thread-safe. Ends once: later ends are ignored.
class Job {
public:
  enum class State { Running, Done, Failed, Cancelled };

  /// `id`: "<kernel>/<kind>" or "<kernel>/<kind>/<candidate>": of a kind and a candidate there is one in a run.
  Job(std::string id, std::string doing) : id_(std::move(id)), doing_(std::move(doing)) {}

  const std::string &id() const { return id_; }
  bool hasEnded() const;

  void does(const std::string &what); ///< "test", "waiting for another evaluation"
  void succeed(Json result);
  void fail(const Error &error);
  void cancel(const std::string &why);
  /// It was cancelled, and ends once what runs has ended: says so until then.
  void ends();

  /// Waits until it ends, at most `seconds`, less if the call is cancelled. Tells the call of each step.
  void wait(double seconds, Call &call) const;

  /// {"job", "state": "running" | "done" | "failed" | "cancelled", "doing", "result", "error"}: as far as there is one.
  Json view() const;

private:
  void end(State state);
  const std::string id_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_ = State::Running;
  std::string doing_;
  bool isEnding_ = false;
  Json result_, error_;
};

/// The schema of view(), `result` being of this schema.
Json jobSchema(Json result);

} // namespace agentic::mcp
