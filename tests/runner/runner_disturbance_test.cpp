// Tests what a kernel changes besides its outputs.
#include "tests/emulated.h"
#include "tests/runner/runner_fixture.h"

namespace agentic::runner_test {
namespace {

using wire::Layout;

struct Change {
  const char *kernel;
  std::uint32_t disturbances;
  Layout layout = Layout::AtEnd;
};

void PrintTo(const Change &change, std::ostream *out) {
  *out << change.kernel;
}

class Disturbs : public testing::TestWithParam<Change> {};

TEST_P(Disturbs, IsTold) {
  for (const char *compiler : {AGENTIC_TEST_CLANG, AGENTIC_TEST_GCC}) {
    const Outcome outcome = runOnce(GetParam().kernel, mapCall(4), {.layout = GetParam().layout}, compiler);
    EXPECT_TRUE(outcome.process.ok()) << outcome.process.describe() << outcome.process.err;
    EXPECT_EQ(outcome.disturbances(), GetParam().disturbances);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Disturbs,
    testing::Values(Change{"sets_ftz", wire::kFloatingPointState}, Change{"sets_rounding", wire::kFloatingPointState},
                    Change{"leaves_mmx", wire::kFloatingPointState}, Change{"sets_errno", wire::kErrno},
                    Change{"starts_thread", wire::kThreads}, Change{"joins_thread", 0},
                    Change{"opens_file", wire::kDescriptors}, Change{"masks_signal", wire::kSignalMask},
                    Change{"replaces_handler", wire::kSignalMask}, Change{"counts_calls", wire::kStatics},
                    Change{"write_past", wire::kMargins, Layout::AtBegin},
                    Change{"write_past", wire::kMargins, Layout::Misaligned},
                    Change{"write_before", wire::kMargins, Layout::AtEnd},
                    Change{"write_before", wire::kMargins, Layout::Misaligned}, Change{"twice", 0}));

TEST(Disturbances, AnOutputThatIsReadFirstIsToldWhereItIsWatched) {
  SKIP_UNDER_QEMU_USER("no signal frame says whether an access was a write");
  for (const bool isWatched : {false, true})
    for (const char *kernel : {"reads_output", "reads_what_it_wrote", "twice"}) {
      wire::Step step;
      step.prefill = wire::Prefill::Poison;
      step.watchOutputs = isWatched;
      const Outcome outcome = runOnce(kernel, mapCall(3000), step); // three pages
      EXPECT_TRUE(outcome.process.ok()) << outcome.process.describe() << outcome.process.err;
      const bool isFirst = std::string_view(kernel) == "reads_output";
      EXPECT_EQ(outcome.disturbances(), isWatched && isFirst ? std::uint32_t{wire::kOutputsRead} : 0u) << kernel;
      ASSERT_EQ(outcome.floats().size(), 3000u);
      EXPECT_EQ(outcome.floats()[0], 2) << "the watch changed the result";
    }
}

TEST(Disturbances, OfFloatingPointAndMaskEndWithTheStep) {
  for (const char *kernel : {"sets_ftz", "masks_signal"}) {
    PlanBuilder plan;
    plan.addCall(mapCall(4));
    plan.addStep();
    plan.addStep();
    const Outcome outcome = run(kernel, plan);
    EXPECT_NE(outcome.disturbances(0), 0u);
    EXPECT_EQ(outcome.disturbances(1), outcome.disturbances(0)) << "the next step began as the first one left it";
  }
}

TEST(Disturbances, OfErrnoAreOfTheCallThatSetsIt) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  plan.addStep();
  plan.addStep();
  const Outcome outcome = run("sets_errno_once", plan);
  EXPECT_EQ(outcome.disturbances(0), wire::kErrno | wire::kStatics) << "it remembers in a static variable that it did";
  EXPECT_EQ(outcome.disturbances(1), 0u);
}

TEST(Disturbances, InputsThatOverlapWithAnOutputCannotBeProtectedButAreCompared) {
  // x's first element is before y: casts_const writes it.
  const Outcome outcome = runOnce("casts_const", mapCall(4, 0x10000, 0x10004));
  EXPECT_TRUE(outcome.process.ok()) << outcome.process.err;
  EXPECT_EQ(outcome.disturbances(), static_cast<std::uint32_t>(wire::kInputs));
}

TEST(Disturbances, LateWritesAreFoundAtTheNextUseAndAtTheEnd) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  plan.addStep({.slot = 0});
  plan.addStep({.slot = 1}); // by then the thread of the first has written
  const Outcome atEnd = run("late_writer", plan);
  EXPECT_EQ(atEnd.disturbances(0), wire::kThreads | wire::kStatics);
  ASSERT_TRUE(atEnd.end) << atEnd.process.describe();
  EXPECT_EQ(atEnd.end->disturbances, static_cast<std::uint32_t>(wire::kEarlierResults));

  plan.addStep({.slot = 0}); // overwrites what would show it at the end
  const Outcome atUse = run("late_writer", plan);
  ASSERT_TRUE(atUse.end) << atUse.process.describe();
  EXPECT_EQ(atUse.end->disturbances, static_cast<std::uint32_t>(wire::kEarlierResults));
}

TEST(Disturbances, AreSeenInTimedStepsToo) {
  const Outcome outcome = runOnce("write_past", mapCall(4), {.layout = Layout::AtBegin, .timeSeconds = 0.005});
  EXPECT_EQ(outcome.disturbances(), static_cast<std::uint32_t>(wire::kMargins));
}

} // namespace
} // namespace agentic::runner_test
