#include "tool/report/suite_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(Reason, NamesWhatIsKnown) {
  NothingGained facts{.compiler = "clang",
                      .loops = 2,
                      .vectorizedLoops = 1,
                      .bandwidthPercent = 83.4,
                      .memoryLevel = "L2",
                      .candidates = 9,
                      .sameCode = 3,
                      .rejected = {{"check", 1}, {"test", 2}},
                      .stopped = "the time budget is spent",
                      .agentNote = "not tried: strip-mine(i): a while loop in the loop"};
  EXPECT_EQ(
      whyNothingGained(facts),
      "memory-bound at 83 % of the measured L2 bandwidth; already vectorized by clang (1 of 2 innermost loops); 9 "
      "candidates tried, none faster (3 compiled to known code, 1 refused by check, 2 refused by test): the time "
      "budget is spent; not tried: strip-mine(i): a while loop in the loop");
}

TEST(Reason, IsNeverEmptyAndClaimsNothing) {
  EXPECT_EQ(whyNothingGained({}), "0 candidates tried");
  EXPECT_EQ(whyNothingGained({.stopped = "interrupted"}), "0 candidates tried: interrupted");
  EXPECT_THAT(whyNothingGained({.bandwidthPercent = 69.9, .memoryLevel = "L1", .candidates = 1}),
              Not(HasSubstr("memory-bound")));
}

TEST(Reason, CutsALongNoteBetweenItsParts) {
  std::string note = "not tried: " + std::string(180, 'a');
  for (int i = 0; i < 5; ++i)
    note += "; move: " + std::string(60, 'b');
  const std::string reason = whyNothingGained({.agentNote = note});
  EXPECT_THAT(reason, EndsWith(std::string(60, 'b') + "; and 4 more"));
  EXPECT_LT(reason.size(), 400u);
  EXPECT_THAT(whyNothingGained({.agentNote = std::string(5000, 'x')}), EndsWith("x..."));
}

} // namespace
} // namespace agentic
