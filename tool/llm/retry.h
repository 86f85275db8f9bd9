// Decides how often a call is repeated and how long to wait: a table by kind of error. The caller of a model retries
// itself, because every attempt must first be reserved in the budget.
#pragma once

#include "tool/llm/chat.h"

#include <functional>
#include <optional>
#include <string_view>

namespace agentic {

class RetryPolicy {
public:
  /// `random` returns numbers in [0, 1). A server that asks for a wait longer than `longestWaitSeconds` is not asked
  /// again.
  explicit RetryPolicy(std::function<double()> random, double longestWaitSeconds = 900)
      : random_(std::move(random)), longestWaitSeconds_(longestWaitSeconds) {}

  /// Returns the seconds to wait before the next attempt; nullopt = give up. `failuresOfThisKind`: in a row, this one
  /// included (≥ 1).
  std::optional<double> next(const ChatError &error, int failuresOfThisKind) const;

private:
  std::function<double()> random_;
  double longestWaitSeconds_;
};

/// Returns how often a call is repeated after errors of this kind; 0 = never.
int mostRetries(ChatErrorKind kind);

/// Returns "rate", "overload", …: for journals and tables.
const char *chatErrorKindName(ChatErrorKind kind);
/// Inverse of chatErrorKindName(); Bug for an unknown name.
ChatErrorKind chatErrorKindOf(std::string_view name);

} // namespace agentic
