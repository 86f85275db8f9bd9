// Tests the stack on which hooks call kernels: real programs, both families, with and without optimisation, C++11.
#include "tests/emulated.h"
#include "tests/runner/runner_fixture.h"

#include <csignal>

namespace agentic::runner_test {
namespace {

using testing::HasSubstr;
using End = ProcessResult::End;

struct Build {
  const char *compiler;
  std::vector<std::string> options;
};

void PrintTo(const Build &build, std::ostream *out) {
  *out << build.compiler;
  for (const std::string &option : build.options)
    *out << ' ' << option;
}

/// Compiles it once per build.
std::string program(const Build &build) {
  static std::map<std::vector<std::string>, std::string> programs;
  std::vector<std::string> key = build.options;
  key.emplace_back(build.compiler);
  std::string &path = programs[key];
  if (!path.empty())
    return path;
  path = (scratch() / ("own-stack-" + std::to_string(programs.size()))).string();
  ProcessSpec spec;
  spec.argv = {build.compiler,
               "-std=c++11",
               "-Wall",
               "-Wextra",
               "-Wno-uninitialized",
               "-Werror",
               "-pthread",
               std::string("-I") + AGENTIC_REPOSITORY,
               AGENTIC_TEST_DATA "/data/own_stack.cpp",
               "-o",
               path};
  spec.argv.insert(spec.argv.end(), build.options.begin(), build.options.end());
  const auto result = runProcess(spec);
  EXPECT_TRUE(result && result->ok()) << (result ? result->err : result.error().message);
  return path;
}

ProcessResult runScenario(const Build &build, const char *scenario) {
  ProcessSpec spec;
  spec.argv = {program(build), scenario};
  spec.timeoutSeconds = 300; // for a program that never ends
  const auto result = runProcess(spec);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

class OwnStack : public testing::TestWithParam<Build> {};

TEST_P(OwnStack, RunsBodiesOnItAndForgetsWhatTheyLeave) {
  for (const char *scenario : {"values", "memo", "memo-deep", "registers", "grows", "exceptions", "threads", "lots"}) {
    const ProcessResult result = runScenario(GetParam(), scenario);
    EXPECT_TRUE(result.ok()) << scenario << ' ' << result.describe() << result.out << result.err;
  }
}

TEST_P(OwnStack, GrowsForSignals) {
  SKIP_UNDER_QEMU_USER("a signal whose frame did not fit stays blocked");
  const ProcessResult result = runScenario(GetParam(), "timer");
  EXPECT_TRUE(result.ok()) << result.describe() << result.out << result.err;
}

TEST_P(OwnStack, EndsTheProcessBeyondItsSize) {
  const ProcessResult result = runScenario(GetParam(), "overflows");
  EXPECT_EQ(result.end, End::Signalled);
  EXPECT_EQ(result.code, SIGABRT);
  EXPECT_THAT(result.err, HasSubstr("agentic-kernel: a kernel used more than 256 KiB of stack; use less"));
}

TEST_P(OwnStack, LeavesOtherFaultsToTheProgram) {
  for (const char *scenario : {"handler-before", "handler-after"}) {
    const ProcessResult result = runScenario(GetParam(), scenario);
    EXPECT_EQ(result.out, "handled\n") << scenario << result.describe();
    EXPECT_EQ(result.code, 42) << scenario;
  }
  const ProcessResult fault = runScenario(GetParam(), "fault");
  EXPECT_EQ(fault.end, End::Signalled);
  EXPECT_EQ(fault.code, SIGSEGV);
  const ProcessResult exits = runScenario(GetParam(), "exits");
  EXPECT_EQ(exits.end, End::Exited);
  EXPECT_EQ(exits.code, 7);
}

TEST_P(OwnStack, Costs) {
  const ProcessResult result = runScenario(GetParam(), "cost");
  EXPECT_TRUE(result.ok());
  std::cout << testing::PrintToString(GetParam()) << ": " << result.out;
}

INSTANTIATE_TEST_SUITE_P(Builds, OwnStack,
                         testing::Values(Build{AGENTIC_TEST_CLANG, {"-O2"}}, Build{AGENTIC_TEST_CLANG, {"-O0"}},
                                         Build{AGENTIC_TEST_GCC, {"-O2"}}, Build{AGENTIC_TEST_GCC, {"-O0"}}));

TEST(OwnStackOff, BySymbol) {
  for (const char *compiler : {AGENTIC_TEST_GCC, AGENTIC_TEST_CLANG}) {
    const ProcessResult result = runScenario({compiler, {"-O1", "-Wl,--defsym=agentic_own_stack_off=1"}}, "ordinary");
    EXPECT_TRUE(result.ok()) << compiler << result.describe() << result.out << result.err;
  }
}

TEST(OwnStackOff, UnderSanitizers) {
  SKIP_UNDER_QEMU_USER("AddressSanitizer takes more memory than can be kept account of");
  const ProcessResult result = runScenario({AGENTIC_TEST_CLANG, {"-O1", "-fsanitize=address"}}, "ordinary");
  EXPECT_TRUE(result.ok()) << result.describe() << result.out << result.err;
}

TEST(OwnStackOff, NowhereElse) {
  EXPECT_EQ(runScenario({AGENTIC_TEST_GCC, {"-O2"}}, "ordinary").code, 1);
}

} // namespace
} // namespace agentic::runner_test
