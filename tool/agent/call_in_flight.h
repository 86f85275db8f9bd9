// One call of a model on a thread of its own, and what such calls have to say.
#pragma once

#include "tool/agent/asker.h"
#include "tool/base/time_limit.h"

#include <atomic>
#include <expected>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace agentic {

/// Keeps what calls have to say until the loop's thread listens. Thread-safe.
class Mailbox {
public:
  /// Returns a function that keeps its calls for `function`; empty if that is. The mailbox outlives it.
  template <class... Arguments>
  std::function<void(const Arguments &...)> of(std::function<void(const Arguments &...)> function) {
    if (!function)
      return {};
    return
        [this, function = std::move(function)](const Arguments &...arguments) { put([=] { function(arguments...); }); };
  }
  /// Makes the calls that were kept.
  void open();

private:
  void put(std::function<void()> call);
  std::mutex mutex_;
  std::vector<std::function<void()>> calls_;
};

class CallInFlight {
public:
  struct Question {
    ChatRequest request;
    std::optional<Ask> ask;
    double secondsLeft = 0;
    const std::atomic<bool> *cancelled = nullptr;
    std::function<void()> isReady; ///< called in the call's thread when it is over
  };
  /// `asker` outlives it.
  CallInFlight(Asker &asker, Question question);
  /// Cancels the call.
  ~CallInFlight();
  CallInFlight(const CallInFlight &) = delete;
  CallInFlight &operator=(const CallInFlight &) = delete;

  bool isTimeUp() const { return limit_.isUp(); }
  /// For a thread that was told so by Question::isReady: the lock that it was told with publishes the result.
  const std::expected<int, AskFailure> &result() const { return *result_; }

private:
  const Question question_;
  TimeLimit limit_;
  std::optional<std::expected<int, AskFailure>> result_;
  std::thread thread_;
};

} // namespace agentic
