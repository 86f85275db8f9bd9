// How often and how long to wait before a call is made again: a table by kind of error. Whoever calls a model retries,
// because every attempt has to be reserved in the budget first.
#pragma once

#include "tool/llm/chat.h"

#include <functional>
#include <optional>
#include <string_view>

namespace agentic {

class RetryPolicy {
public:
  /// `random` gives numbers in [0, 1). A server that wants to be left alone for longer than `longestWaitSeconds` is
  /// obeyed by not asking it again.
  explicit RetryPolicy(std::function<double()> random, double longestWaitSeconds = 900)
      : random_(std::move(random)), longestWaitSeconds_(longestWaitSeconds) {}

  /// Seconds to wait before the next attempt; nullopt = give up. `failuresOfThisKind`: in a row, this one included (≥
  /// 1).
  std::optional<double> next(const ChatError &error, int failuresOfThisKind) const;

private:
  std::function<double()> random_;
  double longestWaitSeconds_;
};

/// How often a call is repeated after errors of this kind; 0 = never.
int mostRetries(ChatErrorKind kind);

/// "rate", "overload", …: for journals and tables.
const char *chatErrorKindName(ChatErrorKind kind);
/// The reverse; Bug for what is no such name.
ChatErrorKind chatErrorKindOf(std::string_view name);

} // namespace agentic
