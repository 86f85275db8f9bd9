// Tests what is read from both compilers' output, and what insights say.
#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/evaluate/insight/classification.h"
#include "tool/evaluate/insight/code_traits.h"
#include "tool/evaluate/insight/counters.h"
#include "tool/evaluate/insight/hot_loop.h"
#include "tool/evaluate/insight/insight.h"
#include "tool/evaluate/insight/instruction_mix.h"
#include "tool/evaluate/insight/limits.h"
#include "tool/evaluate/insight/mca.h"
#include "tool/evaluate/insight/missed_loops.h"
#include "tool/evaluate/insight/why_faster.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

// A dot product, -O3 for x86-64-v3.
constexpr const char *kClang = R"(
0000000000000000 <dot>:
   0:	test   %rdx,%rdx
   3:	je     1b <dot+0x1b>
  28:	xor    %ecx,%ecx
  30:	vmovss (%rdi,%rcx,4),%xmm1
  3b:	vfmadd132ss (%rsi,%rcx,4),%xmm0,%xmm1
  41:	vfmadd231ss 0x4(%rsi,%rcx,4),%xmm2,%xmm1
  96:	add    $0x8,%rcx
  9a:	cmp    %rcx,%rdx
  9d:	jne    30 <dot+0x30>
  b0:	vmovss (%rcx,%rsi,4),%xmm1
  b5:	vfmadd231ss (%rdx,%rsi,4),%xmm1,%xmm0
  bb:	inc    %rsi
  c1:	jne    b0 <dot+0xb0>
  c3:	ret
)";
constexpr const char *kGcc = R"(
0000000000000000 <dot>:
   0:	mov    %rsi,%rcx
   6:	je     120 <dot+0x120>
  30:	vmovups (%rdi,%rax,1),%ymm4
  35:	vmulps (%rcx,%rax,1),%ymm4,%ymm1
  3a:	add    $0x20,%rax
  3e:	vaddss %xmm1,%xmm0,%xmm0
  42:	vshufps $0x55,%xmm1,%xmm1,%xmm3
  54:	vextractf128 $0x1,%ymm1,%xmm1
  58:	vmovaps %ymm1,-0x20(%rsp)
  5e:	vdivss %xmm2,%xmm0,%xmm0
  80:	cmp    %rax,%rsi
  83:	jne    30 <dot+0x30>
  c3:	ret
0000000000000100 <other>:
 100:	vaddps %zmm1,%zmm2,%zmm3
 106:	jne    100 <other>
)";

TEST(HotLoop, OfClangIsTheLongerOfTwo) {
  const HotLoop loop = hotLoopOf(parseDisassembly(kClang), "dot");
  ASSERT_EQ(loop.lines.size(), 6u);
  EXPECT_EQ(loop.lines.front().address, 0x30u);
  EXPECT_EQ(loop.loops, 2);
  EXPECT_EQ(loop.depth, 0);
  EXPECT_THAT(annotatedLoop(loop, 100), HasSubstr("scalar float"));
  EXPECT_THAT(annotatedLoop(loop, 100), HasSubstr("back to the start"));
  EXPECT_THAT(annotatedLoop(loop, 2), HasSubstr("and 4 more"));
}

TEST(HotLoop, OfTheKernelComesBeforeOthers) {
  EXPECT_EQ(hotLoopOf(parseDisassembly(kGcc), "dot").function, "dot");
  EXPECT_EQ(hotLoopOf(parseDisassembly(kGcc), "missing").function, "other");
  EXPECT_TRUE(hotLoopOf(parseDisassembly("<>:\n<x>:\n42\n zz: jne 0\n"), "x").lines.empty());
}

TEST(HotLoop, DeepestWins) {
  const HotLoop loop = hotLoopOf(parseDisassembly("0 <f>:\n 0:\tinc %rax\n 1:\tinc %rbx\n 2:\tjne 1 <f+1>\n 3:\tjne 0 "
                                                  "<f>\n 4:\tvaddps %ymm0,%ymm1,%ymm1\n 5:\tjne 4 <f+4>\n"),
                                 "f");
  EXPECT_EQ(loop.depth, 1);
  EXPECT_EQ(loop.lines.size(), 2u);
}

TEST(HotLoop, AHostileFunctionIsReadInOnePass) {
  // Every instruction jumps back, to overlapping and to nested places.
  std::string text = "0 <f>:\n";
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i)
    text += fmt::format("{:x}:\tjne {:x} <f+1>\n", i, i % 2 ? i / 2 : kCount / 2 - i / 2 > i ? i : kCount / 2 - i / 2);
  EXPECT_FALSE(hotLoopOf(parseDisassembly(text), "f").lines.empty());
}

TEST(InstructionMix, CountsKindsWorkAndSpills) {
  const InstructionMix mix = mixOf(hotLoopOf(parseDisassembly(kGcc), "dot").lines);
  EXPECT_EQ(mix.instructions, 10);
  EXPECT_EQ(mix.vector, 5);
  EXPECT_EQ(mix.scalarFloat, 2);
  EXPECT_EQ(mix.loads, 2);
  EXPECT_EQ(mix.stores, 1);
  EXPECT_EQ(mix.spillStores, 1);
  EXPECT_EQ(mix.spillLoads, 0);
  EXPECT_EQ(mix.branches, 1);
  EXPECT_EQ(mix.divisions, 1);
  EXPECT_EQ(mix.shuffles, 2);
  EXPECT_EQ(mix.widestVector, 32);
  EXPECT_DOUBLE_EQ(mix.flops, 8 + 1 + 1);
  EXPECT_DOUBLE_EQ(mix.bytes, 64);
  EXPECT_THAT(mixText(mix), HasSubstr("at most 256 bits"));
  const InstructionMix clang = mixOf(hotLoopOf(parseDisassembly(kClang), "dot").lines);
  EXPECT_EQ(clang.vector, 0);
  EXPECT_EQ(clang.scalarFloat, 3);
  EXPECT_DOUBLE_EQ(clang.flops, 4);
  EXPECT_DOUBLE_EQ(clang.bytes, 12);
}

class RealCompiler : public testing::TestWithParam<std::pair<const char *, Family>> {};

std::vector<std::string> traitsOf(const char *disassembly) {
  return codeTraits(hotLoopOf(parseDisassembly(disassembly), "f"));
}

TEST(CodeTraits, AreWhatTheHotLoopDoes) {
  EXPECT_THAT(codeTraits(hotLoopOf(parseDisassembly(kClang), "dot")),
              testing::ElementsAre("memory", "scalar", "no branches"));
  EXPECT_THAT(codeTraits(hotLoopOf(parseDisassembly(kGcc), "dot")),
              testing::ElementsAre("compute", "vectors of 32", "no branches")); // the stack is no memory
  EXPECT_THAT(traitsOf("<f>:\n 0: inc %rax\n 4: inc %rcx\n 8: vpshufb (%rdi),%ymm1,%ymm2\n c: je 20 <f>\n"
                       " 10: vpaddb %ymm2,%ymm3,%ymm3\n 14: jne 8 <f>\n 18: jne 4 <f>\n 1c: jne 0 <f>\n"),
              testing::ElementsAre("compute", "vectors of 32", "table", "blocks"));
  EXPECT_THAT(traitsOf("<f>:\n 0: vpermilps $0x55,%ymm1,%ymm2\n 4: jne 0 <f>\n"), Not(testing::Contains("table")));
  EXPECT_THAT(traitsOf("<f>:\n 0: ret\n"), testing::IsEmpty());
}

TEST_P(RealCompiler, SaysWhyALoopIsNotVectorized) {
  const auto compiler = findProgram(GetParam().first);
  if (!compiler)
    GTEST_SKIP() << GetParam().first << " is not installed";
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "insight-");
  ASSERT_TRUE(scratch);
  const std::string file = (scratch->path() / "unit.cpp").string();
  ASSERT_TRUE(writeFileAtomic(file, "#include <cstddef>\nunsigned f(const unsigned *a, std::size_t n) {\n"
                                    "  unsigned s = 0;\n"
                                    "  for (std::size_t i = 0; a[i] != s; ++i)\n    s = a[s % n] + s / 3;\n"
                                    "  return s;\n}\n"));
  ProcessSpec spec{.argv = {*compiler, "-O3", "-c", file, "-o", file + ".o"}};
  for (const std::string &option : missedOptions(GetParam().second))
    spec.argv.push_back(option);
  const auto done = runProcess(spec);
  ASSERT_TRUE(done && done->ok());
  const OwnLine own = [](unsigned line, unsigned) { return line + 100; };
  const auto missed = missedLoops(done->err, GetParam().second, file, own, 10);
  ASSERT_FALSE(missed.empty()) << done->err;
  EXPECT_EQ(missed.front().line, 104u);
  EXPECT_THAT(missedText(missed), HasSubstr("vectorize"));
  const OwnLine none = [](unsigned, unsigned) { return 0u; };
  EXPECT_TRUE(missedLoops(done->err, GetParam().second, file, none, 10).empty());
  EXPECT_TRUE(missedLoops(done->err, GetParam().second, "/other.cpp", own, 10).empty());
}
INSTANTIATE_TEST_SUITE_P(Both, RealCompiler,
                         testing::Values(std::pair("clang++-19", Family::Clang), std::pair("g++", Family::Gcc)));

TEST(MissedLoops, EachOnceAndNotTooMany) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += fmt::format("/u.cpp:{}:3: missed: couldn't vectorize loop\n", 1 + i / 2);
  text += "/u.cpp:9999999999999999999:3: missed: not vectorized: \x1b[31mx\n/u.cpp:\n/u.cpp";
  const OwnLine own = [](unsigned line, unsigned) { return line; };
  EXPECT_EQ(missedLoops(text, Family::Gcc, "/u.cpp", own, 100).size(), 26u);
  EXPECT_EQ(missedLoops(text, Family::Gcc, "/u.cpp", own, 4).size(), 4u);
  EXPECT_EQ(missedText(missedLoops(text, Family::Gcc, "/u.cpp", own, 100)).find('\x1b'), std::string::npos);
}

TEST(Mca, EstimatesARealLoop) {
  const HotLoop loop = hotLoopOf(parseDisassembly(kGcc), "dot");
  EXPECT_THAT(mcaInput(loop), HasSubstr("jne .Lhot"));
  const McaEstimate result = estimate(loop, "x86-64-v3");
  if (result.text.empty())
    GTEST_SKIP() << result.reason;
  EXPECT_THAT(result.text, HasSubstr("Total Cycles"));
  EXPECT_THAT(result.text, HasSubstr("Block RThroughput"));
}

TEST(Mca, SaysWhyNot) {
  const HotLoop loop = hotLoopOf(parseDisassembly(kGcc), "dot");
  EXPECT_THAT(estimate(loop, "x86-64-v3", "no-such-llvm-mca").reason, HasSubstr("not in PATH"));
  EXPECT_THAT(estimate(loop, "rv64gcv").reason, HasSubstr("rv64gcv"));
  EXPECT_THAT(estimate({}, "x86-64-v3").reason, HasSubstr("no loop"));
}

class ScriptedKernel : public CounterKernel {
public:
  std::expected<int, int> open(const CounterEvent &event) override {
    if (event.name == "branch misses")
      return std::unexpected(ENOENT);
    if (event.name == "cache misses")
      return std::unexpected(EACCES);
    return ++opened;
  }
  std::expected<Reading, int> read(int descriptor) override {
    if (descriptor == 1)
      return Reading{1000, 200, 100}; // cycles: had a counter half of the time
    if (descriptor == 2)
      return Reading{3000, 100, 100};
    return descriptor == 3 ? Reading{7, 100, 0} : std::expected<Reading, int>(std::unexpected(EIO));
  }
  void close(int) override { ++closed; }
  int opened = 0, closed = 0;
};

TEST(Counters, AreScaledAndSayWhatIsMissing) {
  ScriptedKernel kernel;
  {
    CounterSet set(kernel);
    const Counters counters = set.take();
    ASSERT_EQ(counters.values.size(), 2u);
    EXPECT_EQ(counters.values[0].value, 2000u);
    EXPECT_TRUE(counters.values[0].isScaled);
    EXPECT_FALSE(counters.values[1].isScaled);
    const std::string text = countersText(counters);
    EXPECT_THAT(text, HasSubstr("instructions per cycle: 1.50"));
    EXPECT_THAT(text, HasSubstr("branch misses: the machine offers no such counter"));
    EXPECT_THAT(text, HasSubstr("perf_event_paranoid"));
    EXPECT_THAT(text, HasSubstr("page faults: it never got a counter"));
  }
  EXPECT_EQ(kernel.closed, kernel.opened);
}

TEST(Counters, PageFaultsOfARealProcess) {
  const auto kernel = linuxCounters();
  CounterSet set(*kernel);
  const auto done = runProcess({.argv = {"true"}});
  ASSERT_TRUE(done && done->ok());
  const Counters counters = set.take();
  for (const std::string &missing : counters.missing)
    if (missing.starts_with("page faults: the system does not permit"))
      GTEST_SKIP() << missing;
  const auto found = std::ranges::find(counters.values, "page faults", &CounterValue::name);
  ASSERT_NE(found, counters.values.end()) << countersText(counters);
  EXPECT_GT(found->value, 0u);
}

TEST(Classification, ByIntensityAndRoof) {
  const Roofline machine = {
      .cpu = "a CPU", .levels = {{"L1", 32e3, 400e9}, {"memory", 0, 20e9}}, .flopsPerSecond = 100e9};
  const Classification memory = classify(machine, {"BM", 1e6, 10e6, 5e6}, 0, 0);
  EXPECT_EQ(memory.bound, Bound::Memory);
  EXPECT_NEAR(memory.percent, 50, 1e-6);
  EXPECT_EQ(memory.level, "memory");
  const Classification compute = classify(machine, {"BM", 1e6, 1000, 50e6}, 0, 0);
  EXPECT_EQ(compute.bound, Bound::Compute);
  EXPECT_NEAR(compute.percent, 50, 1e-6);
  const Classification unknown = classify(machine, {"BM", 1e6, 0, 0}, 0, 0);
  EXPECT_EQ(unknown.bound, Bound::Unknown);
  EXPECT_THAT(classificationText(unknown, {"BM", 1e6, 0, 0}), HasSubstr("not known"));
  EXPECT_EQ(classify(machine, {}, 8, 4).bound, Bound::Compute);
  EXPECT_EQ(classify({}, {"BM", 1, 1, 1}, 1, 1).bound, Bound::Unknown);
}

TEST(Limits, SayWhatBoundsAndWhatWouldHelp) {
  using testing::ElementsAre;
  constexpr const char *kMca = "Throughput Bottlenecks: \n  Resource Pressure       [ 2.20% ]\n"
                               "  Data Dependencies:      [ 93.89% ]\n";
  EXPECT_DOUBLE_EQ(mcaPercent(kMca, "Data Dependencies:"), 93.89);
  EXPECT_DOUBLE_EQ(mcaPercent(kMca, "Memory Dependencies"), 0);
  EXPECT_DOUBLE_EQ(mcaPercent("Data Dependencies:", "Data Dependencies:"), 0);
  InstructionMix mix;
  EXPECT_THAT(limitsOf({.mix = mix, .mca = kMca, .classification = {}}), ElementsAre(HasSubstr("no loop")));
  mix.instructions = 52;
  EXPECT_THAT(limitsOf({.mix = mix, .mca = kMca, .classification = {}, .notVectorized = "value is used outside"}),
              ElementsAre(HasSubstr("a chain of dependent instructions in its hot loop (llvm-mca: 94 %"),
                          "its hot loop has no vector instruction (the compiler: value is used outside)"));
  mix.vector = 4;
  EXPECT_THAT(limitsOf({.mix = mix, .mca = "", .classification = {}}), testing::IsEmpty());
  mix.calls = 1, mix.divisions = 2, mix.branches = 3;
  EXPECT_THAT(limitsOf({.mix = mix, .mca = "", .classification = {}}),
              ElementsAre(HasSubstr("1 call in"), HasSubstr("2 divisions"), HasSubstr("3 branches")));
  const Classification memory{.bound = Bound::Memory, .percent = 71, .level = "L2"};
  EXPECT_THAT(limitsOf({.mix = mix, .mca = "", .classification = memory}).front(), HasSubstr("71 % of what L2"));
}

TEST(Insight, IsJsonWhateverItsBytesAndBoundedByLines) {
  const Insight insight{"c1\xff", {{"Hot loop", "a\nb\n", "note"}, {"Roofline", std::string(5000, 'x'), ""}}};
  const auto object = nlohmann::json::parse(insightJson(insight));
  EXPECT_EQ(object.at("sections").size(), 2u);
  EXPECT_EQ(object.at("sections")[0].at("title"), "Hot loop");
  const std::string text = insightText(insight, 2048);
  EXPECT_LE(text.size(), 2048u);
  EXPECT_THAT(text, HasSubstr("(note)"));
  EXPECT_THAT(text, HasSubstr("(cut)"));
  EXPECT_THAT(text, Not(HasSubstr("xxx")));
}

TEST(WhyFaster, SaysInNumbersWhatDiffers) {
  const CodeFigures scalar{.codeBytes = 214, .instructions = 5, .branches = 1, .bytes = 8, .flops = 2};
  const CodeFigures wide{
      .codeBytes = 812, .instructions = 12, .widestVector = 64, .branches = 1, .bytes = 128, .flops = 32};
  EXPECT_EQ(whyFaster(scalar, wide),
            "a pass of its hot loop works on vectors of 64 bytes instead of no vectors; it moves 128 bytes with 12 "
            "instructions, 11 each, instead of 8 with 5, 1.6 each; it does 32 operations on floats with 12 "
            "instructions, 2.7 each, instead of 2 with 5, 0.4 each; 812 bytes of code and constants instead of 214");
  EXPECT_EQ(whyFaster(scalar, scalar), "");
  CodeFigures fewer = scalar;
  fewer.branches = 3;
  EXPECT_EQ(whyFaster(fewer, scalar), "a pass of its hot loop has 1 instead of 3 branches");
  // Without a loop, or on processors whose instructions are not told apart.
  EXPECT_EQ(whyFaster({.codeBytes = 10}, {.codeBytes = 20}), "20 bytes of code and constants instead of 10");
  EXPECT_EQ(whyFaster({}, wide), "");
}

} // namespace
} // namespace agentic
