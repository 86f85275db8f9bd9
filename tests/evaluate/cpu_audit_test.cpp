// Tests the audit's arithmetic on accounts made by a model of Google Benchmark: setup per call, pauses per iteration,
// the search for an iteration count.
#include "tool/evaluate/benchmark/cpu_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr double kMinTime = 0.02;

struct Model {
  double call = 1e-3;   ///< seconds of CPU per timed iteration
  double hidden = 0;    ///< further seconds, unseen by the benchmark's clock
  double start = 0.005; ///< start of the process
  double setup = 0;     ///< per call of the benchmark function
  double pause = 0;     ///< per iteration
  int repetitions = 5;
  double minTime = kMinTime;
  double noise = 0; ///< share by which the tries of the search were faster
};

CpuAccount account(const Model &model) {
  double total = model.start, iterations = 1;
  auto runs = [&](double times) {
    total += times * (model.setup + iterations * (model.call + model.hidden + model.pause));
  };
  while (iterations * model.call * (1 - model.noise) < model.minTime) {
    runs(1);
    double seconds = iterations * model.call * (1 - model.noise), factor = 1.4 * model.minTime / seconds;
    iterations = std::floor(
        std::max(iterations * (seconds / model.minTime > 0.1 ? factor : std::min(10.0, factor)), iterations + 1));
  }
  runs(model.repetitions);
  BenchmarkReport report;
  report["BM"].cpuNs.assign(std::size_t(model.repetitions), model.call * 1e9);
  report["BM"].iterations.assign(std::size_t(model.repetitions), iterations);
  return cpuAccount(report, total, model.minTime);
}

std::string audit(const Model &reference, const Model &candidate) {
  Model few = reference, more = reference;
  few.repetitions = more.repetitions = 1;
  more.minTime = std::max(4 * kMinTime, 2.1 * reference.call);
  double paused = pausedSecondsPerIteration(account(few), account(more));
  std::vector<CpuAccount> left(3, account(reference)), right(3, account(candidate));
  return auditCpu(left, right, paused, kMinTime);
}

TEST(CpuAudit, HonestGainsPass) {
  for (double call : {1e-8, 1e-6, 1e-4, 3e-3, 0.03, 0.2})
    for (double gain : {1.0, 1.1, 3.0, 15.0, 100.0})
      for (double setup : {0.0, 0.003, 0.05})
        for (double pause : {0.0, 2.0}) {
          Model reference, candidate;
          reference.call = call;
          reference.setup = setup;
          reference.pause = pause * call;
          reference.repetitions = int(std::clamp(std::floor(0.15 / call), 1.0, 5.0));
          candidate = reference;
          candidate.call = call / gain;
          EXPECT_EQ(audit(reference, candidate), "") << call << " " << gain << " " << setup << " " << pause;
        }
}

// A try just under a tenth of the time leads to one more, of nearly the whole time; one just over it does not. The more
// iterations of that try also pause more often.
TEST(CpuAudit, ATryMoreOrLessIsNotHiddenTime) {
  for (double call : {2e-7, 2e-6, 2e-5, 2e-4, 2e-3})
    for (double noise : {-0.02, 0.02})
      for (double off : {-0.03, -0.01, 0.0, 0.01, 0.03})
        for (double pause : {0.0, 1.0, 3.0}) {
          Model reference, candidate;
          reference.call = 3 * call;
          reference.pause = candidate.pause = pause * 3 * call;
          reference.repetitions = candidate.repetitions = 1;
          candidate.call = call * (1 + off);
          candidate.noise = noise;
          EXPECT_EQ(audit(reference, candidate), "") << call << " " << noise << " " << off << " " << pause;
        }
}

TEST(CpuAudit, ASlowedClockIsFound) {
  for (double call : {1e-6, 1e-4, 3e-3, 0.03, 0.2})
    for (double factor : {2.0, 4.0, 20.0}) {
      Model reference, candidate;
      reference.call = call;
      reference.setup = 0.003;
      reference.repetitions = int(std::clamp(std::floor(0.15 / call), 1.0, 5.0));
      candidate = reference;
      candidate.call = call / factor;
      candidate.hidden = call - candidate.call;
      EXPECT_NE(audit(reference, candidate), "") << call << " " << factor;
    }
}

TEST(CpuAudit, HalfTheWorkInAnotherThreadIsFound) {
  for (double call : {1e-5, 1e-3, 0.03, 0.2}) {
    Model reference, candidate;
    reference.call = call;
    reference.repetitions = int(std::clamp(std::floor(0.15 / call), 1.0, 5.0));
    candidate = reference;
    candidate.call = candidate.hidden = call / 2;
    EXPECT_THAT(audit(reference, candidate), ::testing::HasSubstr("other threads")) << call;
  }
}

TEST(CpuAudit, AQuarterOfTheClaimCannotBeHidden) {
  for (double call : {0.03, 0.2}) {
    Model reference, candidate;
    reference.call = call;
    reference.repetitions = 5;
    candidate = reference;
    candidate.call = 0.8 * call;
    candidate.hidden = 0.2 * call;
    EXPECT_NE(audit(reference, candidate), "") << call;
  }
}

/// A process whose search differs from what its 14 iterations suggest: one try of two milliseconds led to them.
CpuAccount fourteen(double hiddenShare, double setup, int repetitions, bool secondTry) {
  constexpr double kCall = 2e-3;
  BenchmarkReport report;
  report["BM"].cpuNs.assign(std::size_t(repetitions), kCall * (1 - hiddenShare) * 1e9);
  report["BM"].iterations.assign(std::size_t(repetitions), 14);
  const double tries = secondTry ? 11 : 1, calls = (secondTry ? 2 : 1) + repetitions;
  return cpuAccount(report, 0.005 + setup * calls + kCall * (tries + 14 * repetitions), kMinTime);
}

std::string auditFourteen(const CpuAccount &reference, const CpuAccount &candidate, SearchDoubt doubt) {
  return auditCpu({&reference, 1}, {&candidate, 1}, 0, kMinTime, doubt);
}

// Fourteen iterations follow from one try or from two: the reference then seems to explain less than it does.
TEST(CpuAudit, TheDoubtOfASearchIsGranted) {
  Model faster{.call = 1.5e-3, .setup = 0.01, .repetitions = 1};
  EXPECT_NE(auditFourteen(fourteen(0, 0.01, 1, false), account(faster), SearchDoubt::Ignored), "");
  faster.repetitions = repetitionsForAudit(1, 0.028);
  EXPECT_EQ(auditFourteen(fourteen(0, 0.01, faster.repetitions, false), account(faster), SearchDoubt::Allowed), "");
  EXPECT_EQ(fourteen(0, 0.01, 1, true).doubt, 10 * 2e-3);
  EXPECT_EQ(account(faster).doubt, 0);
}

TEST(CpuAudit, ATenthOfTheTimeCannotBeHiddenBehindThatDoubt) {
  const int repetitions = repetitionsForAudit(5, 0.028);
  EXPECT_EQ(repetitions, 40);
  for (const bool secondTry : {false, true})
    EXPECT_NE(auditFourteen(fourteen(0, 0, repetitions, secondTry), fourteen(0.1, 0, repetitions, secondTry),
                            SearchDoubt::Allowed),
              "")
        << secondTry;
}

TEST(CpuAudit, ProcessesThatDecideTakeTwoSecondsAtMost) {
  EXPECT_EQ(repetitionsForAudit(1, 0.5), 4);
  EXPECT_EQ(repetitionsForAudit(5, 3), 5);
}

TEST(CpuAudit, ASuspicionNeedsThreeOfFive) {
  auto looks = [](std::string answers) { // s: suspicious, c: clean, e: could not be looked at
    std::size_t next = 0;
    Result<std::string> result = mostOfFive([&]() -> Result<std::string> {
      const char answer = answers.at(next++);
      if (answer == 'e')
        return userError("no process", "try again");
      return answer == 's' ? "reason " + std::to_string(next) : std::string();
    });
    return (result ? *result : result.error().message) + " after " + std::to_string(next);
  };
  EXPECT_EQ(looks("sss"), "reason 3 after 3");
  EXPECT_EQ(looks("ccc"), " after 3");
  EXPECT_EQ(looks("cscss"), "reason 5 after 5");
  EXPECT_EQ(looks("scscc"), " after 5");
  EXPECT_EQ(looks("se"), "no process after 2");
}

std::vector<double> referenceTimes(double pause, double gain) {
  Model reference{.call = 1e-3, .pause = pause}, candidate = reference;
  candidate.call = reference.call / gain;
  candidate.hidden = 1; // whatever: it is suspicious
  const std::vector<CpuAccount> left(3, account(reference)), right(3, account(candidate));
  std::vector<double> asked;
  const FreshPair pair = [&](double minTime) -> Result<std::string> {
    asked.push_back(minTime / kMinTime);
    return std::string("suspicious");
  };
  EXPECT_EQ(decideCpu(left, right, pause, kMinTime, pair).value_or("error"), "suspicious");
  return asked;
}

// Work between iterations is compared with as many of them, a moment before or after; such as was too little to be
// noticed before, if a usual look does not explain it.
TEST(CpuAudit, TheReferenceRunsAsManyIterations) {
  const auto aboutFour = ::testing::DoubleNear(4, 0.5);
  EXPECT_THAT(referenceTimes(0, 4), ::testing::ElementsAre(1.0, 1.0, 1.0, aboutFour, aboutFour, aboutFour));
  EXPECT_THAT(referenceTimes(0, 0.5), ::testing::SizeIs(3));
  EXPECT_THAT(referenceTimes(1e-3, 4), ::testing::Each(::testing::DoubleNear(4, 0.5)));
  EXPECT_THAT(referenceTimes(1e-3, 0.5), ::testing::Each(1.0));
  EXPECT_THAT(referenceTimes(1e-3, 1000), ::testing::Each(20.0));
}

/// Returns decideCpu's verdict on processes that behave like the models.
std::string decide(const Model &reference, const Model &candidate) {
  Model few = reference, more = reference;
  few.repetitions = more.repetitions = 1;
  more.minTime = std::max(4 * kMinTime, 2.1 * reference.call);
  const double paused = pausedSecondsPerIteration(account(few), account(more));
  const std::vector<CpuAccount> left(3, account(reference)), right(3, account(candidate));
  const FreshPair pair = [&](double minTime) -> Result<std::string> {
    Model longer = reference, fresh = candidate;
    longer.minTime = minTime;
    longer.repetitions = fresh.repetitions = repetitionsForAudit(reference.repetitions, kMinTime);
    const CpuAccount one = account(longer), other = account(fresh);
    return auditCpu({&one, 1}, {&other, 1}, paused, kMinTime, SearchDoubt::Allowed);
  };
  return decideCpu(left, right, paused, kMinTime, pair).value_or("error");
}

// A pause of a few hundredths of the baseline's time is more than the whole time of a candidate 50 times as fast. One
// that is too short to be learnt is explained up to as many iterations as the reference runs.
TEST(CpuAudit, ShortPausesDoNotRefuseLargeGains) {
  for (double call : {1e-6, 1e-4, 1e-3})
    for (double pause : {0.01, 0.025, 0.04, 0.09})
      for (double gain : {5.0, 20.0, 100.0}) {
        Model reference{.call = call, .pause = pause * call}, candidate = reference;
        candidate.call = call / gain;
        const bool isLearnt = pause > 0.03;
        if (gain <= 20 || isLearnt) {
          EXPECT_EQ(decide(reference, candidate), "") << call << " " << pause << " " << gain;
        }
        candidate.hidden = 5 * candidate.call;
        EXPECT_NE(decide(reference, candidate), "") << call << " " << pause << " " << gain;
      }
}

// 35 to 57 us of the same loop within a minute: half more than the reference spends at the same time is no proof.
TEST(CpuAudit, WorkBetweenIterationsMayTakeHalfMoreInAFreshPair) {
  Model reference{.call = 1e-4, .pause = 3e-4}, candidate = reference;
  candidate.pause = 1.4 * reference.pause;
  const CpuAccount left = account(reference), right = account(candidate);
  EXPECT_NE(auditCpu({&left, 1}, {&right, 1}, reference.pause, kMinTime, SearchDoubt::Ignored), "");
  EXPECT_EQ(auditCpu({&left, 1}, {&right, 1}, reference.pause, kMinTime, SearchDoubt::Allowed), "");
  EXPECT_NE(auditCpu({&left, 1}, {&right, 1}, 0, kMinTime, SearchDoubt::Allowed), "");
}

TEST(CpuAudit, PausesAreMeasuredPerIteration) {
  Model model;
  model.call = 1e-3;
  model.pause = 5e-4;
  model.repetitions = 1;
  Model longer = model;
  longer.minTime = 0.08;
  EXPECT_NEAR(pausedSecondsPerIteration(account(model), account(longer)), 5e-4, 2e-4);
  model.pause = longer.pause = 0;
  EXPECT_EQ(pausedSecondsPerIteration(account(model), account(longer)), 0);
}

TEST(CpuAudit, AGainOfAPrintedNumberIsSeenInTheWholeTime) {
  const auto problem = [](double before, double after, double share, double speedup) {
    const CpuAccount reference{.total = before}, candidate{.total = after};
    return auditGain({&reference, 1}, {&candidate, 1}, share, speedup);
  };
  EXPECT_EQ(problem(1, 0.2, 0.9, 10), "");
  EXPECT_EQ(problem(1, 0.5, 0.9, 10), ""); // half of what should be gone
  EXPECT_NE(problem(1, 0.7, 0.9, 10), "");
  EXPECT_NE(problem(1, 1, 0.9, 2), "");
  EXPECT_EQ(problem(1, 1, 0.9, 1.3), ""); // too little to be told from noise
  EXPECT_EQ(problem(1, 1, 0, 10), "");    // it runs as long whatever the kernel does
  EXPECT_EQ(problem(1, 1, -1, 10), "");
}

BenchmarkSeries seriesOf(double cpuNs, double wallNs) {
  BenchmarkSeries series;
  series.cpuNs = {cpuNs};
  series.wallNs = {wallNs};
  series.iterations = {1000};
  return series;
}

TEST(WorkOfOtherThreads, IsCpuTimeOfTheProcessThatTheReportLacks) {
  BenchmarkReport report{{"pool/real_time", seriesOf(1e4, 1e6)},
                         {"pool", seriesOf(2e4, 1e6)},
                         {"loop/real_time", seriesOf(9e5, 1e6)},
                         {"pool/process_time", seriesOf(1e6, 1e6)}};
  const WorkOfOtherThreads work = workOfOtherThreads(report, 2.2);
  EXPECT_THAT(work.byWallTime, testing::ElementsAre("pool/real_time"));
  EXPECT_THAT(work.unseen, testing::ElementsAre("pool"));
  countWallTime(work.byWallTime, report);
  EXPECT_EQ(report["pool/real_time"].cpuNs.front(), 1e6);
  EXPECT_EQ(report["pool"].cpuNs.front(), 2e4);
}

TEST(WorkOfOtherThreads, IsNotWaitingOnABusyMachine) {
  const WorkOfOtherThreads work = workOfOtherThreads({{"loop/real_time", seriesOf(3e5, 1e6)}}, 0.1);
  EXPECT_TRUE(work.byWallTime.empty());
  EXPECT_TRUE(work.unseen.empty());
}

TEST(WorkOfOtherThreads, GrowsWithTheIterationsAndTheStartOfAProcessDoesNot) {
  const CpuAccount few{.unclaimed = 0.045, .iterations = 100}, start{.unclaimed = 0.047, .iterations = 400},
      threads{.unclaimed = 0.165, .iterations = 400}, asMany{.unclaimed = 0.045, .iterations = 101};
  EXPECT_NEAR(unclaimedThatGrows(few, start), 0.0027, 0.0001);
  EXPECT_NEAR(unclaimedThatGrows(few, threads), 0.16, 0.001); // 5 ms are the start
  EXPECT_EQ(unclaimedThatGrows(few, asMany), 0.045);          // nothing can be told apart
}

TEST(WorkOfOtherThreads, IsWhatBothRunsShow) {
  const WorkOfOtherThreads one{.byWallTime = {"a", "b"}, .unseen = {"c"}}, other{.byWallTime = {"b"}, .unseen = {}};
  const WorkOfOtherThreads both = workInBoth(one, other);
  EXPECT_THAT(both.byWallTime, testing::ElementsAre("b"));
  EXPECT_TRUE(both.unseen.empty());
}

} // namespace
} // namespace agentic
