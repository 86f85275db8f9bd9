// Tests what the pipeline makes of a project's flags, tests and edits: a project of its own each.
#include "tests/evaluate/project_fixture.h"
#include "tests/evaluate/running_sums.h"
#include "tests/model/recorded_machines.h"
#include "tool/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace agentic {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// A candidate of the project that compiles only with its own -march flags.
const std::string kBeyondTheLevel =
    kernel("  __m512i z = _mm512_setzero_si512();\n  z = _mm512_dpbusd_epi32(z, z, z);\n"
           "  unsigned sum = unsigned(_mm512_reduce_add_epi32(z));\n"
           "  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];",
           "#include <immintrin.h>\n");

TEST(EvaluatorInputs, AnEditDuringTheRunIsNoticed) {
  Project project("project");
  auto evaluator = project.open("running_sums");
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  Result<void> unchanged = (*evaluator)->recheckInputs();
  EXPECT_TRUE(unchanged) << unchanged.error().message;
  std::string source = project.source() + "/sums.cpp";
  ASSERT_TRUE(writeFileAtomic(source, *readFile(source) + "// edited\n"));
  Result<void> edited = (*evaluator)->recheckInputs();
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().message, HasSubstr("SOURCE of kernel 'running_sums' changed"));
}

TEST(EvaluatorInputs, InstructionsBeyondTheLevelAreRefused) {
  if (!__builtin_cpu_supports("avx512vnni"))
    GTEST_SKIP() << "this CPU lacks avx512vnni";
  Project project("project", {"-DCMAKE_CXX_FLAGS=-march=x86-64-v4 -mavx512vnni"});
  auto evaluator = project.open("running_sums");
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  Result<Evaluation> evaluation = (*evaluator)->evaluate(makeCandidate(kBeyondTheLevel, "file: vnni.cpp"));
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->verdict, Verdict::Rejected);
  EXPECT_EQ(evaluation->stage, Stage::Compile);
  EXPECT_THAT(evaluation->detail, HasSubstr("not in x86-64-v4"));
  EXPECT_THAT(evaluation->detail, HasSubstr("vnni.cpp:4:"));
}

// A machine that lacks one feature of a level has all the others, and -march=native uses them: a variant that is tuned
// there belongs to the complete level, compiled with the project's flags. A level that the user names is refused if the
// flags are above it; that of an existing variant was chosen when it was made.
TEST(EvaluatorInputs, FlagsBeyondTheHighestLevelOfTheMachineAreRefusedOfNamedLevelsOnly) {
  if (!hasLevel(hostCpu(), *findLevel("x86-64-v3")))
    GTEST_SKIP() << "this CPU lacks x86-64-v3";
  Project project("project", {"-DCMAKE_CXX_FLAGS=-march=x86-64-v3"});
  EvaluatorOptions options;
  options.buildDir = project.build();
  options.kernel = "running_sums";
  options.cpu = readCpu(sourceOf(recordedMachine("hypervisor_masks_lzcnt")));
  auto tuned = Evaluator::open(options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ((*tuned)->level().name, "x86-64-v2");
  Result<Evaluation> evaluation = (*tuned)->evaluate(makeCandidate(kLinear, "file: linear.cpp"));
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->verdict, Verdict::Accepted) << evaluation->detail;

  options.level = "x86-64-v2";
  auto named = Evaluator::open(options); // although all of it is in the cache now
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message,
              HasSubstr("x86-64-v2 is below what the project's own flags imply (x86-64-v3): it lacks avx, avx2, bmi"));
  options.levelIsRecorded = true;
  auto recorded = Evaluator::open(options);
  EXPECT_TRUE(recorded) << recorded.error().message;
}

// The refusal is of the gate that refused: sanitizers found nothing.
TEST(EvaluatorInputs, CodeThatNeverRanIsRefusedAsUncovered) {
  Project project("project");
  auto evaluator = project.open("running_sums");
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  const std::string text = replaceAll(kLinear, "  unsigned sum = 0;",
                                      "  if (n > 2 && x[n / 2] == 0x12345678u && x[0] == 0x9abcdef0u)\n    y[0] = 1;\n"
                                      "  unsigned sum = 0;");
  const Result<Evaluation> examined = (*evaluator)->examine(makeCandidate(text, "file: rare.cpp"));
  ASSERT_TRUE(examined) << examined.error().message;
  EXPECT_EQ(examined->verdict, Verdict::Rejected);
  EXPECT_STREQ(stageName(examined->stage), "coverage");
  EXPECT_THAT(examined->detail, HasSubstr("never ran"));
  EXPECT_THAT(examined->detail, HasSubstr("--allow-uncovered"));
}

// Permissions: the same is accepted and named for the header; the same with another pointer is a finding.
TEST(EvaluatorInputs, WhatTheKernelDoesWithAddressesIsPermittedAndNamed) {
  Project project("project");
  const std::string round = "reinterpret_cast<const unsigned *>(reinterpret_cast<unsigned long>(x) & ~3ul)";
  const std::string file = project.source() + "/sums.cpp";
  ASSERT_TRUE(
      writeFileAtomic(file, replaceAll(readFile(file).value(), "    unsigned sum = 0;",
                                       "    const unsigned *r = " + round + ";\n    unsigned sum = r[0] - x[0];")));
  auto evaluator = project.open("running_sums");
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  const std::string text = replaceAll(kLinear, "y[i] = sum += x[i]", "y[i] = sum += " + round + "[i]");
  const Result<Evaluation> examined = (*evaluator)->examine(makeCandidate(text, "file: rounds.cpp"));
  ASSERT_TRUE(examined) << examined.error().message;
  EXPECT_EQ(examined->verdict, Verdict::Accepted) << examined->detail;
  const std::string does = "does with addresses what the original does at line 11: '" + round + "' ";
  EXPECT_THAT(examined->review, IsSupersetOf({does + "[forged-pointers]", does + "[addresses-as-numbers]"}));
  const Result<Evaluation> plain = (*evaluator)->examine(makeCandidate(kLinear, "file: linear.cpp"));
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_THAT(plain->review, Not(Contains(HasSubstr("does with addresses"))));
  const Result<Evaluation> other =
      (*evaluator)->evaluate(makeCandidate(replaceAll(text, ">(x)", ">(y)"), "file: other.cpp"));
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(other->stage, Stage::Check);
  EXPECT_EQ(other->findings.size(), 2u);
}

TEST(EvaluatorInputs, TestsAndBenchmarksMustCallTheKernel) {
  auto weak = Project("project", {"-Dtests=other_test"}).open("running_sums");
  ASSERT_FALSE(weak);
  EXPECT_THAT(weak.error().message, HasSubstr("no test of 'other_test' calls kernel 'running_sums'"));
  auto idle = Project("project", {"-Dbenchmarks=other_bench"}).open("running_sums");
  ASSERT_FALSE(idle);
  EXPECT_THAT(idle.error().message, HasSubstr("benchmark 'BM_Other' of 'other_bench' does not call kernel"));
}

} // namespace
} // namespace agentic
