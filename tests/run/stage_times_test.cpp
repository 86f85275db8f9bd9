#include "tool/run/stage_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::Key;
using testing::Pair;

TEST(StageTimes, AddUpWhatIsEvaluatedAndConfirmed) {
  Attempt attempt;
  attempt.evaluation.times = {{"check", 1}, {"compile", 2}};
  Evaluation confirmed;
  confirmed.times = {{"compile", 3}};
  StageTimes times;
  times.happened(run_event::Evaluated{1, attempt, true, 2});
  times.happened(run_event::Confirmed{confirmed});
  times.add("compile", 4);
  EXPECT_THAT(times.seconds(), ElementsAre(Pair("check", 1), Pair("compile", 9)));
}

TEST(StageTimes, HaveWhatIsDoneToAWinnerBeforeItIsConfirmed) {
  const Candidate winner;
  StageTimes times;
  times.happened(run_event::Shortening{winner});
  EXPECT_THAT(times.seconds(), ElementsAre());
  times.happened(run_event::Shortened{winner, ""});
  EXPECT_THAT(times.seconds(), ElementsAre(Key("shorten")));
  times.happened(run_event::Reviewing{winner});
  times.happened(run_event::Reviewed{winner, "", ""});
  EXPECT_THAT(times.seconds(), ElementsAre(Key("review"), Key("shorten")));
}

} // namespace
} // namespace agentic
