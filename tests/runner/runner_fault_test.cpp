// Tests crashes: which argument was left, where and how; and what the process's end leaves in the result.
#include "tests/emulated.h"
#include "tests/runner/runner_fixture.h"

#include <csignal>

namespace agentic::runner_test {
namespace {

using testing::HasSubstr;
using wire::Layout;
using wire::StepStatus;

struct Access {
  const char *kernel;
  Layout layout;
  int argument;
  long offset; ///< in bytes
  bool isWrite;
};

void PrintTo(const Access &access, std::ostream *out) {
  *out << access.kernel << " layout " << static_cast<int>(access.layout);
}

void expectFault(const Outcome &outcome, const Access &access) {
  EXPECT_EQ(outcome.process.code, 3) << outcome.process.describe() << outcome.process.err;
  ASSERT_EQ(outcome.steps.size(), 1u);
  const wire::StepResult &result = outcome.steps[0].result;
  EXPECT_EQ(result.status, StepStatus::Fault);
  EXPECT_EQ(result.signal, static_cast<std::uint32_t>(SIGSEGV));
  EXPECT_EQ(result.argument, access.argument);
  EXPECT_EQ(result.offset, access.offset);
  if (!kIsEmulated) { // the signal frames of qemu-user do not say which it was
    EXPECT_EQ(result.isWrite != 0, access.isWrite);
  }
  EXPECT_FALSE(outcome.end);
}

class AccessBeyond : public testing::TestWithParam<Access> {};

TEST_P(AccessBeyond, IsAFaultThatNamesArgumentAndOffset) {
  for (const char *compiler : {AGENTIC_TEST_CLANG, AGENTIC_TEST_GCC})
    expectFault(runOnce(GetParam().kernel, mapCall(4), {.layout = GetParam().layout}, compiler), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Pointers, AccessBeyond,
                         testing::Values(Access{"read_past", Layout::AtEnd, 0, 16, false},
                                         Access{"read_before", Layout::AtBegin, 0, -4, false},
                                         Access{"read_y_past", Layout::AtEnd, 1, 16, false},
                                         Access{"write_past", Layout::AtEnd, 1, 16, true},
                                         Access{"write_before", Layout::AtBegin, 1, -4, true},
                                         Access{"casts_const", Layout::AtEnd, 0, 0, true},
                                         Access{"casts_const", Layout::AtBegin, 0, 0, true}));

TEST(Access, ByMaskedAndGatheredLoadsIsAFault) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2"))
    GTEST_SKIP() << "this CPU has no AVX2: there are no masked loads to test";
#endif
  for (const char *compiler : {AGENTIC_TEST_CLANG, AGENTIC_TEST_GCC})
    for (const char *kernel : {"masked_past", "gather_past"})
      expectFault(runOnce(kernel, mapCall(4), {}, compiler), {kernel, Layout::AtEnd, 0, 16, false});
}

TEST(Access, BeyondRangesAndReferences) {
  const std::vector<Argument> vectors{{wire::Role::In, bytesOf(std::vector<float>(8))},
                                      {wire::Role::InOut, bytesOf(std::vector<float>(8))}};
  expectFault(runOnce("vector_past", vectors), {"", Layout::AtEnd, 0, 32, false});
  expectFault(runOnce("vector_write_past", vectors), {"", Layout::AtEnd, 1, 32, true});
  expectFault(runOnce("vector_casts_const", vectors), {"", Layout::AtEnd, 0, 4, true});
  const std::vector<Argument> views{{wire::Role::In, "text"},
                                    {wire::Role::InOut, bytesOf(std::vector<int>{1})},
                                    {wire::Role::In, std::string(16, '\0')},
                                    {wire::Role::Value, std::string(16, '\0')},
                                    {wire::Role::Out, std::string(4, '\0')}};
  expectFault(runOnce("view_past", views), {"", Layout::AtEnd, 0, 4, false});
  expectFault(runOnce("params_past", views), {"", Layout::AtEnd, 2, 24, false});
  expectFault(runOnce("count_past", views), {"", Layout::AtEnd, 4, 4, true});
}

TEST(Access, ToTheNearerOfTwoThatOverlap) {
  expectFault(runOnce("read_y_past", mapCall(4, 0x10000, 0x10008)), {"", Layout::AtEnd, 1, 16, false});
  expectFault(runOnce("read_before", mapCall(4, 0x10000, 0x10008), {.layout = Layout::AtBegin}),
              {"", Layout::AtBegin, 0, -4, false});
}

TEST(Crash, OfEveryKindIsTold) {
  struct Crash {
    const char *kernel;
    int signal;
  };
  std::vector<Crash> crashes{{"aborts", SIGABRT}, {"throws", SIGABRT}, {"null_write", SIGSEGV}, {"wild", SIGSEGV}};
#if defined(__x86_64__)
  crashes.push_back({"traps", SIGILL});
  crashes.push_back({"divides", SIGFPE});
#else
  crashes.push_back({"traps", SIGTRAP});
#endif
  for (const Crash &crash : crashes) {
    const Outcome outcome = runOnce(crash.kernel, mapCall(4));
    EXPECT_EQ(outcome.process.code, 3) << crash.kernel << outcome.process.describe();
    ASSERT_EQ(outcome.steps.size(), 1u) << crash.kernel;
    EXPECT_EQ(outcome.steps[0].result.status, StepStatus::Fault);
    EXPECT_EQ(outcome.steps[0].result.signal, static_cast<std::uint32_t>(crash.signal)) << crash.kernel;
    EXPECT_EQ(outcome.steps[0].result.argument, -1) << crash.kernel;
  }
}

TEST(Crash, KeepsTheResultsBeforeIt) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  plan.addStep({.layout = Layout::AtBegin}); // there the element behind the last is a margin
  plan.addStep({.layout = Layout::AtEnd});
  plan.addStep({.layout = Layout::AtBegin});
  const Outcome outcome = run("read_past", plan);
  ASSERT_EQ(outcome.steps.size(), 2u);
  EXPECT_EQ(outcome.steps[0].result.status, StepStatus::Done);
  EXPECT_EQ(outcome.steps[1].result.status, StepStatus::Fault);
  EXPECT_EQ(outcome.steps[1].result.step, 1u);
}

TEST(Crash, ExitInTheKernelLeavesNoEnd) {
  const Outcome outcome = runOnce("exits", mapCall(4));
  EXPECT_EQ(outcome.process.code, 0);
  EXPECT_TRUE(outcome.steps.empty());
  EXPECT_FALSE(outcome.end);
}

TEST(CallStack, OverflowIsTold) {
  for (const char *kernel : {"recurses", "local_300k"}) {
    const Outcome outcome = runOnce(kernel, mapCall(4));
    EXPECT_EQ(outcome.process.code, 3) << kernel << outcome.process.describe();
    ASSERT_EQ(outcome.steps.size(), 1u) << kernel;
    EXPECT_EQ(outcome.steps[0].result.status, StepStatus::StackOverflow) << kernel;
  }
}

TEST(CallStack, UseIsMeasuredAndTheLimitIsThePlans) {
  const Outcome outcome = runOnce("local_100k", mapCall(4));
  ASSERT_TRUE(outcome.process.ok()) << outcome.process.describe();
  EXPECT_GE(outcome.steps.at(0).result.stackBytes, 100u << 10);
  EXPECT_LT(outcome.steps.at(0).result.stackBytes, 104u << 10);
  EXPECT_GE(runOnce("hooked_100k", mapCall(4)).steps.at(0).result.stackBytes, 100u << 10)
      << "the hook's entry has left the runner's stack for its own";
  PlanBuilder plan;
  plan.header.stackBytes = 512 << 10;
  plan.addCall(mapCall(4));
  plan.addStep();
  EXPECT_TRUE(run("local_300k", plan).process.ok());
  plan.header.stackBytes = 64 << 10;
  EXPECT_EQ(run("local_100k", plan).steps.at(0).result.status, StepStatus::StackOverflow);
}

TEST(CallStack, KeepsNoMemo) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  for (std::uint64_t i = 0; i < 4; ++i)
    plan.addStep({.seed = i});
  for (const char *compiler : {AGENTIC_TEST_CLANG, AGENTIC_TEST_GCC}) {
    const Outcome memo = run("stack_memo", plan, compiler);
    ASSERT_EQ(memo.steps.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(memo.floats(i).at(0), 0);
    // The replaced contents come from the seed: the same in every process, different in every step.
    const Outcome first = run("stack_state", plan, compiler), second = run("stack_state", plan, compiler);
    EXPECT_EQ(first.steps.at(0).payload, second.steps.at(0).payload);
    EXPECT_NE(first.steps.at(0).payload, first.steps.at(1).payload);
  }
}

} // namespace
} // namespace agentic::runner_test
