// Tests the live view on screens of many sizes: it fits, shows what matters, and no text in it moves the cursor.
#include "tool/base/terminal_text.h"
#include "tool/report/live_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

LiveState usualState() {
  LiveState state;
  state.kernel = "column_sums";
  state.agent = "openrouter:qwen/qwen3-coder";
  state.target = "x86-64-v4 / clang";
  state.iteration = 12;
  state.maxIterations = 40;
  state.stage = "benchmark";
  state.candidate = "0123456789abcdef0123";
  state.origin = "builtin: unroll(i, 4); vectorize(j, 8)";
  state.best = Speedup{2.414, 2.36, 2.47};
  state.bestCandidate = "fedcba9876543210";
  state.bestSoFar = {1, 1, 1.5, 1.5, 2.414};
  state.rejected = {{"check", 2}, {"test", 3}};
  state.branches = {{"island 1", 7, 3, 4.2}, {"island 2", 6, 0, 0}};
  state.cost = LiveCost{120'345, 4'100, 14, 0.0421, 5.0};
  state.secondsUsed = 42.4;
  state.secondsLeft = 3700;
  return state;
}

std::string joined(const std::vector<LiveLine> &lines) {
  std::string text;
  for (const LiveLine &line : lines)
    text += line.text + "\n";
  return text;
}

void expectFits(const LiveState &state, const LiveSize &size) {
  const std::vector<LiveLine> lines = liveLines(state, size);
  EXPECT_FALSE(lines.empty());
  EXPECT_LE(lines.size(), std::max<std::size_t>(size.rows - 1, 1)) << size.columns << "x" << size.rows;
  for (const LiveLine &line : lines) {
    EXPECT_LT(line.columns, size.columns) << line.text;
    if (!size.hasColor) {
      EXPECT_EQ(displayColumns(line.text), line.columns) << line.text;
      EXPECT_EQ(line.text, printable(line.text));
    }
  }
}

TEST(LiveView, SaysEverythingAt80Columns) {
  const std::string text = joined(liveLines(usualState(), {80, 24, false, true}));
  for (const char *part : {"column_sums", "openrouter:qwen", "0:42, 1:01:40 left", "[12/40] benchmark",
                           "0123456789ab  ", "builtin: unroll(i, 4)", "2.41x (estimate)", "fedcba987654", "▁▁▃▃█",
                           "check 2, test 3", "$0.0421 of $5.00, 120.3k tokens in, 4.1k out, 14 calls"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(LiveView, HasALineForEachBranch) {
  LiveState state = usualState();
  state.branches = {{"island 1", 7, 3, 4.2}, {"island 10", 6, 0, 0}};
  const std::string text = joined(liveLines(state, {80, 24, false, true}));
  EXPECT_THAT(text, HasSubstr("  island 1   7 asked, 3 passed, best 4.20x\n"));
  EXPECT_THAT(text, HasSubstr("  island 10  6 asked, 0 passed\n"));
  const std::string few = joined(liveLines(state, {80, 7, false, true}));
  EXPECT_THAT(few, HasSubstr("island 1 "));
  EXPECT_THAT(few, Not(HasSubstr("island 10"))) << "the last ones go first";
}

TEST(LiveView, HasALineForEachHostOfAFarm) {
  LiveState state = usualState();
  EXPECT_THAT(joined(liveLines(state, {80, 24, false, true})), Not(HasSubstr("measured")));
  state.hosts = {{"ssh:box1", {12, "0123456789abcdef"}}, {"ssh:zen4-box", {1, "fedcba9876543210"}}};
  const std::string text = joined(liveLines(state, {80, 24, false, true}));
  EXPECT_THAT(text, HasSubstr("  ssh:box1      12 measured, last 0123456789ab\n"
                              "  ssh:zen4-box  1 measured, last fedcba987654\n"));
  const std::string few = joined(liveLines(state, {80, 7, false, true}));
  EXPECT_THAT(few, HasSubstr("island 1 "));
  EXPECT_THAT(few, Not(HasSubstr("ssh:"))) << "they go first";
  state.hosts["\033]0;title\a" + std::string(1000, 'x')].candidate = "\033[2J";
  for (const std::size_t columns : {200, 80, 12, 1})
    expectFits(state, {columns, 24, false, true});
}

TEST(LiveView, FitsEverySize) {
  for (const std::size_t columns : {200, 120, 80, 60, 40, 25, 12, 3, 2, 1})
    for (const std::size_t rows : {50, 24, 6, 4, 2, 1})
      for (const bool color : {false, true})
        expectFits(usualState(), {columns, rows, color, true});
}

TEST(LiveView, KeepsWhatMattersOnAFewRows) {
  LiveState state = usualState();
  EXPECT_THAT(joined(liveLines(state, {80, 3, false, true})), HasSubstr("benchmark"));
  EXPECT_THAT(joined(liveLines(state, {80, 3, false, true})), HasSubstr("2.41x"));
  state.isStopping = true;
  EXPECT_THAT(joined(liveLines(state, {80, 4, false, true})),
              HasSubstr("stopping: the best so far is kept; Ctrl-C again aborts"));
  state.bestCandidate.clear(); // there is none to keep
  EXPECT_THAT(joined(liveLines(state, {80, 4, false, true})), HasSubstr("  stopping; Ctrl-C again aborts"));
}

TEST(LiveView, HasTheTimeAlsoBesideALongName) {
  LiveState state = usualState();
  state.kernel = std::string(300, 'k');
  for (const std::size_t columns : {200, 80, 40})
    EXPECT_THAT(liveLines(state, {columns, 24, false, true}).front().text, HasSubstr("0:42, 1:01:40 left"));
}

TEST(LiveView, HostileNamesStayText) {
  LiveState state = usualState();
  const std::string hostile = "\033]0;title\a\033[2J\r\n\u202eevil\xc2\x9b\xff 日本語🚀 " + std::string(100'000, 'x');
  state.kernel = state.agent = state.target = state.candidate = state.origin = state.bestCandidate = state.stage =
      hostile;
  state.rejected[hostile] = std::numeric_limits<int>::max();
  for (const std::size_t columns : {200, 80, 40, 7})
    expectFits(state, {columns, 24, false, true});
  for (const LiveLine &line : liveLines(state, {80, 24, false, false}))
    for (const char c : line.text)
      EXPECT_TRUE(c >= ' ' && c < '\x7f') << line.text;
}

TEST(LiveView, OddNumbersDoNoHarm) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  constexpr double kMax = std::numeric_limits<double>::max();
  LiveState state = usualState();
  state.best = Speedup{kMax, -kMax, kInf};
  state.bestSoFar = {kNan, -kMax, kMax, kInf, 1};
  state.secondsUsed = kInf;
  state.secondsLeft = kNan;
  state.cost = LiveCost{std::numeric_limits<std::int64_t>::max(), -5, -1, kNan, kMax};
  expectFits(state, {80, 24, false, true});
  expectFits(LiveState{}, {80, 24, false, true});
  EXPECT_EQ(sparkline({kNan, kInf}, 5), "");
  EXPECT_EQ(sparkline({-kMax, kMax}, 5), "▁█");
}

TEST(LiveView, ColoursOnlyWhereWanted) {
  const std::string text = joined(liveLines(usualState(), {80, 24, true, true}));
  EXPECT_THAT(text, HasSubstr("\033[32m2.41x"));
  EXPECT_THAT(text, HasSubstr("\033[0m"));
}

TEST(LiveView, SaysThatNothingWon) {
  LiveState state;
  EXPECT_THAT(joined(liveLines(state, {})), HasSubstr("the baseline"));
  EXPECT_THAT(joined(liveLines(state, {})), HasSubstr("preparing"));
  state.isTimed = false;
  EXPECT_THAT(joined(liveLines(state, {})), HasSubstr("nothing is measured"));
}

TEST(Sparkline, ShowsTheLastValues) {
  EXPECT_EQ(sparkline({1, 2, 3}, 2), "▁█");
  EXPECT_EQ(sparkline({1, 1}, 5), "▁▁");
  EXPECT_EQ(sparkline({1, 2}, 5, false), "_#");
  EXPECT_EQ(sparkline({}, 5), "");
}

} // namespace
} // namespace agentic
