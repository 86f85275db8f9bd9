#include "tool/llm/retry.h"

#include "tool/llm/retry_after.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

std::optional<double> wait(ChatErrorKind kind, int failures, double random,
                           std::optional<double> retryAfter = std::nullopt) {
  const RetryPolicy policy([random] { return random; });
  return policy.next({.kind = kind, .retryAfterSeconds = retryAfter}, failures);
}

TEST(Retry, HowOftenByKind) {
  const std::pair<ChatErrorKind, int> rows[] = {
      {ChatErrorKind::Key, 0},     {ChatErrorKind::Money, 0},     {ChatErrorKind::Model, 0},
      {ChatErrorKind::Request, 0}, {ChatErrorKind::TooLong, 0},   {ChatErrorKind::Tools, 0},
      {ChatErrorKind::Rate, 8},    {ChatErrorKind::Overload, 7},  {ChatErrorKind::Network, 6},
      {ChatErrorKind::Garbage, 2}, {ChatErrorKind::Cancelled, 0}, {ChatErrorKind::Missing, 0},
      {ChatErrorKind::Bug, 0},
  };
  for (const auto &[kind, most] : rows) {
    EXPECT_EQ(mostRetries(kind), most) << chatErrorKindName(kind);
    for (int failures = 1; failures <= most; ++failures)
      EXPECT_TRUE(wait(kind, failures, 0.5)) << chatErrorKindName(kind) << " " << failures;
    EXPECT_FALSE(wait(kind, most + 1, 0.5)) << chatErrorKindName(kind);
    EXPECT_FALSE(wait(kind, 0, 0.5));
    EXPECT_FALSE(wait(kind, 1'000'000, 0.5));
  }
}

TEST(Retry, HowLong) {
  struct Row {
    ChatErrorKind kind;
    int failures;
    double random;
    std::optional<double> retryAfter, seconds;
  };
  const std::optional<double> none;
  const Row rows[] = {
      {ChatErrorKind::Rate, 1, 0.5, none, 2},      // half of 4 s
      {ChatErrorKind::Rate, 2, 0.5, none, 4},      //
      {ChatErrorKind::Rate, 8, 1.0, none, 60},     // the cap
      {ChatErrorKind::Overload, 3, 0.25, none, 2}, // a quarter of 8 s
      {ChatErrorKind::Network, 1, 0.0, none, 0},   //
      {ChatErrorKind::Garbage, 2, 1.0, none, 2},   //
      {ChatErrorKind::Rate, 1, 0.0, 7, 7},         // never sooner than asked
      {ChatErrorKind::Rate, 5, 0.5, 7, 7.5},       // nor all at that very moment
      {ChatErrorKind::Rate, 1, 0.5, 900, 900.5},   //
      {ChatErrorKind::Rate, 1, 0.5, 901, none},    // longer than we wait for anybody
      {ChatErrorKind::Overload, 1, 0.0, 30, 30},   //
      {ChatErrorKind::Money, 1, 0.0, 1, none},     // a wish to come back does not fill the account
      {ChatErrorKind::Network, 2, 7.0, none, 2},   // a random source out of its range
  };
  for (const Row &row : rows)
    EXPECT_EQ(wait(row.kind, row.failures, row.random, row.retryAfter), row.seconds)
        << chatErrorKindName(row.kind) << " " << row.failures << " " << row.random;
}

TEST(Retry, EveryFormOfRetryAfter) {
  constexpr std::int64_t kNow = 1795348800; // Sun, 22 Nov 2026 12:00:00 GMT
  struct Row {
    HttpHeaders headers;
    std::optional<double> seconds;
  };
  const std::optional<double> none;
  const Row rows[] = {
      {{{"retry-after", "7"}}, 7},
      {{{"retry-after", " 1.5 "}}, 1.5},
      {{{"retry-after", "Sun, 22 Nov 2026 12:00:30 GMT"}}, 30},
      {{{"retry-after", "Sun, 22 Nov 2026 11:00:00 GMT"}}, 0},
      {{{"retry-after", "soon"}}, none},
      {{{"retry-after", "-5"}}, none},
      {{{"retry-after", ""}}, none},
      {{{"retry-after", "1e300"}}, none},
      {{{"retry-after", "inf"}}, none},
      {{{"retry-after", "nan"}}, none},
      {{{"retry-after-ms", "250"}, {"retry-after", "1"}}, 0.25},
      {{{"retry-after-ms", "x"}, {"retry-after", "1"}}, 1},
      {{{"x-ratelimit-remaining-requests", "0"}, {"x-ratelimit-reset-requests", "6m0s"}}, 360},
      {{{"x-ratelimit-remaining-requests", "5"}, {"x-ratelimit-reset-requests", "6m0s"}}, none},
      {{{"x-ratelimit-remaining-requests", "0"},
        {"x-ratelimit-reset-requests", "1s"},
        {"x-ratelimit-remaining-tokens", "0"},
        {"x-ratelimit-reset-tokens", "120ms"}},
       1},
      {{{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1795348860000"}}, 60},
      {{{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1795348810"}}, 10},
      {{}, none},
  };
  for (const Row &row : rows)
    EXPECT_EQ(retryAfterSeconds(row.headers, kNow), row.seconds)
        << (row.headers.empty() ? "" : row.headers.begin()->second);
}

TEST(Retry, Durations) {
  EXPECT_EQ(durationSeconds("1h2m3.5s"), 3723.5);
  EXPECT_EQ(durationSeconds("120ms"), 0.12);
  EXPECT_EQ(durationSeconds("17"), 17);
  for (const char *text : {"", "s", "1x", "m1", "1 s"})
    EXPECT_FALSE(durationSeconds(text)) << text;
}

} // namespace
} // namespace agentic
