#include "tool/llm/retry.h"

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

/// Waits are drawn from [0, min(cap, base · 2^n)): with full jitter, callers that failed together do not return
/// together.
struct RetryRow {
  ChatErrorKind kind;
  std::string_view name;
  int retries;
  double baseSeconds, capSeconds;
};
constexpr RetryRow kRetryRows[] = {
    {ChatErrorKind::Key, "key", 0, 0, 0},
    {ChatErrorKind::Money, "money", 0, 0, 0},
    {ChatErrorKind::Model, "model", 0, 0, 0},
    {ChatErrorKind::Request, "request", 0, 0, 0},
    {ChatErrorKind::TooLong, "too-long", 0, 0, 0}, // needs a shorter request
    {ChatErrorKind::Tools, "tools", 0, 0, 0},      // needs a request with text instead
    {ChatErrorKind::Rate, "rate", 8, 4, 60},
    {ChatErrorKind::Overload, "overload", 7, 2, 60},
    {ChatErrorKind::Network, "network", 6, 1, 60},
    {ChatErrorKind::Garbage, "garbage", 2, 1, 8},
    {ChatErrorKind::Cancelled, "cancelled", 0, 0, 0},
    {ChatErrorKind::Missing, "missing", 0, 0, 0},
    {ChatErrorKind::Bug, "bug", 0, 0, 0},
};

const RetryRow &rowOf(ChatErrorKind kind) {
  const auto *found = std::ranges::find(kRetryRows, kind, &RetryRow::kind);
  return found == std::end(kRetryRows) ? kRetryRows[std::size(kRetryRows) - 1] : *found;
}

} // namespace

int mostRetries(ChatErrorKind kind) {
  return rowOf(kind).retries;
}

const char *chatErrorKindName(ChatErrorKind kind) {
  return rowOf(kind).name.data();
}

ChatErrorKind chatErrorKindOf(std::string_view name) {
  const auto *found = std::ranges::find(kRetryRows, name, &RetryRow::name);
  return found == std::end(kRetryRows) ? ChatErrorKind::Bug : found->kind;
}

std::optional<double> RetryPolicy::next(const ChatError &error, int failuresOfThisKind) const {
  const RetryRow &row = rowOf(error.kind);
  if (failuresOfThisKind < 1 || failuresOfThisKind > row.retries)
    return std::nullopt;
  const double jitter = std::clamp(random_(), 0.0, 1.0);
  const double backoff = jitter * std::min(row.capSeconds, std::ldexp(row.baseSeconds, failuresOfThisKind - 1));
  if (!error.retryAfterSeconds)
    return backoff;
  if (*error.retryAfterSeconds > longestWaitSeconds_)
    return std::nullopt;
  // Never earlier than requested, and not all callers at that very moment.
  return *error.retryAfterSeconds + jitter * std::min(row.baseSeconds, 1.0);
}

} // namespace agentic
