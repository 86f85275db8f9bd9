// Tests that every wrong call has a message of its own that says what to do.
#include "tests/cmake-module/project_fixture.h"

namespace agentic::test {
namespace {

using ::testing::HasSubstr;

struct WrongCall {
  const char *call;     ///< after the targets
  const char *expected; ///< part of the message, white space flattened
};

const WrongCall kWrongCalls[] = {
    {"add_agentic_kernel(dot TARGET mylib)", "add_agentic_kernel(dot): SOURCE is missing"},
    {"add_agentic_kernel(dot SOURCE src/dot.cpp)", "add_agentic_kernel(dot): TARGET is missing"},
    {"add_agentic_kernel(dot TARGET nolib SOURCE src/dot.cpp)",
     "there is no target 'nolib'; call add_agentic_kernel after"},
    {"add_library(i INTERFACE)\nadd_agentic_kernel(dot TARGET i SOURCE src/dot.cpp)",
     "target 'i' compiles nothing in this build"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE dot.cpp)", "there is no file"},
    {"add_agentic_kernel(dot TARGET app SOURCE src/dot.cpp)", "target 'app' does not compile src/dot.cpp; add it"},
    {"file(WRITE src/dot.c \"\")\nadd_library(c STATIC src/main.cpp src/dot.c)\n"
     "add_agentic_kernel(dot TARGET c SOURCE src/dot.c)",
     "src/dot.c is C, a language that this project does not have; write project(... LANGUAGES C ...)"},
    {"add_agentic_kernel(Dot TARGET mylib SOURCE src/dot.cpp)", "a kernel's name must match [a-z][a-z0-9_]*"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "this name is taken already"},
    {"add_agentic_kernel(dot SRC TARGET mylib SOURCE src/dot.cpp)", "unknown argument 'SRC'"},
    {"add_agentic_kernel(dot BENCHMARK app TARGET mylib SOURCE src/dot.cpp)",
     "unknown argument 'BENCHMARK'; did you mean 'BENCHMARK"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp DISPATCH runtime)",
     "DISPATCH: unknown value 'runtime'; did you mean 'RUNTIME'?"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp ON_STALE IGNORE)",
     "ON_STALE: unknown value 'IGNORE'; there are BASELINE, ERROR"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp FAMILIES g++)", "FAMILIES: unknown value 'g++'"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp ARCHITECTURES x86_64-V3)",
     "unknown level 'x86_64-V3' in ARCHITECTURES; did you mean 'x86-64-v3'?"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp TESTS no_test)",
     "TESTS names 'no_test', which is no executable target and no test that add_test(NAME ...) registers"},
    {"add_test(NAME a_test COMMAND app)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp BENCHMARKS a_test)",
     "BENCHMARKS names the test 'a_test': of Google Benchmark, name the program"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp BENCHMARKS app BENCHMARK_METRIC \"([0-9]+) cycles\" "
     "cycles)",
     "is not a pattern and a unit"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp BENCHMARKS app BENCHMARK_METRIC \"([0-9]+) ms\")",
     "is not a pattern and a unit"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp BENCHMARKS app BENCHMARK_FILTER x BENCHMARK_METRIC /a ms)",
     "BENCHMARK_METRIC says that BENCHMARKS are none"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp END_TO_END app --all)",
     "END_TO_END needs the number that its command prints: write METRIC"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp METRIC /speed MB/s)",
     "METRIC belongs to END_TO_END, which is missing"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp END_TO_END app METRIC \"([0-9]+) tokens\" tokens)",
     "METRIC '([0-9]+) tokens;tokens' is not a pattern and a unit"},
    {"add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp BENCHMARKS mylib)",
     "BENCHMARKS names 'mylib', which is no executable"},
    {"set(AGENTIC_KERNEL_MODE auto)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "AGENTIC_KERNEL_MODE: unknown value 'auto'; did you mean 'AUTO'?"},
    {"set(AGENTIC_KERNEL_MAX_ITERATIONS many)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "AGENTIC_KERNEL_MAX_ITERATIONS is 'many': give a number"},
    {"set(AGENTIC_KERNEL_TOOL /no/such/tool)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "which does not exist: correct it"},
    {"set(AGENTIC_KERNEL_HOOK dot)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "only for the tool's own shadow tree"},
    {"set(AGENTIC_KERNEL_CONFIGURE_CHECK ON)\nadd_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)",
     "the agentic-kernel tool was not found"},
};

using ArgumentsTest = Project;

TEST_F(ArgumentsTest, EachHasItsMessage) {
  const std::string head = replaceAll(kDotLists, "add_agentic_kernel(dot TARGET mylib SOURCE src/dot.cpp)", "");
  for (const WrongCall &wrong : kWrongCalls) {
    lists(head + wrong.call + "\n");
    const std::string output = configure();
    EXPECT_NE(status_, 0) << wrong.call;
    EXPECT_THAT(output, HasSubstr(wrong.expected)) << wrong.call;
    EXPECT_EQ(output.find("CMake Error"), output.rfind("CMake Error")) << output;
    EXPECT_EQ(output.find("CMake Warning"), std::string::npos) << output;
  }
}

TEST_F(ArgumentsTest, KernelsOfOneSourceMustShareTheirTargets) {
  const std::string second = "AGENTIC_KERNEL int twice(int x) { return 2 * x; }";
  write("src/dot.cpp", replaceAll(kDotSource, "@KERNEL@", std::string(kDotKernel) + "\n" + second));
  lists(std::string(kDotLists) +
        "add_executable(other src/dot.cpp)\nadd_agentic_kernel(twice TARGET other SOURCE src/dot.cpp)\n");
  generateDot();
  KernelSpec spec = makeSpec("twice", path("src/dot.cpp"), {"demo"}, "twice", second, {"x"});
  generate(spec, {makeVariant(spec, "x86-64-v2", "clang", "")}, "generated/twice");
  EXPECT_THAT(configure(), HasSubstr("kernel 'dot' of the same SOURCE has TARGET mylib; give both the same targets"));
}

TEST_F(ArgumentsTest, AliasesAndGeneratorExpressionsAreFine) {
  lists(replaceAll(
      replaceAll(kDotLists, "STATIC src/dot.cpp)", "STATIC $<1:src/dot.cpp>)\nadd_library(my::lib ALIAS mylib)"),
      "TARGET mylib", "TARGET my::lib"));
  const std::string output = configure();
  EXPECT_EQ(status_, 0) << output;
}

} // namespace
} // namespace agentic::test
