// Candidates with memory errors, undefined behaviour and code that never runs, in a real test program, by both
// compilers.
#include "tests/evaluate/stage_fixture.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/baseline_coverage.h"
#include "tool/evaluate/instruments/coverage.h"
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/evaluate/instruments/sanitize_run.h"
#include "tool/evaluate/instruments/sanitized_tree.h"
#include "tool/source/extract/extract.h"

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char *kSource = "#define AGENTIC_KERNEL\n"
                                "AGENTIC_KERNEL void square(const float *x, float *y, int n) {\n"
                                "  for (int i = 0; i < n; ++i)\n"
                                "    y[i] = x[i] * x[i];\n"
                                "}\n";

class Instruments : public StageTest, public testing::WithParamInterface<const char *> {
protected:
  void SetUp() override {
    StageTest::SetUp();
    open(kSource);
    if (HasFatalFailure())
      return;
    programs_ = program("square_test");
    TestRequest request;
    request.programs = &programs_;
    Result<TestFacts> facts = learnTests(context_, request);
    ASSERT_TRUE(facts) << facts.error().message;
    facts_ = std::move(*facts);
  }

  /// Opens the kernel in SOURCE, with the context that the stages get.
  void open(const std::string &source) {
    const std::string folder = scratch_->path(), file = folder + "/src/square.cpp";
    ASSERT_TRUE(writeFileAtomic(file, source));
    ASSERT_TRUE(createDirectories(folder + "/cache"));
    ASSERT_TRUE(createDirectories(folder + "/instrumented"));
    Result<Compiler> compiler = identifyCompiler(GetParam(), folder + "/cache");
    ASSERT_TRUE(compiler) << compiler.error().message;
    compiler_ = std::move(*compiler);
    ExtractRequest request;
    request.kernel = "square";
    request.source = file;
    request.projectRoot = folder;
    request.command = {folder, file, {compiler_.path, "-O2", "-std=c++17", "-c", file, "-o", "square.o"}};
    request.compiler = compiler_;
    Result<Extraction> extraction = extractKernel(request);
    ASSERT_TRUE(extraction) << extraction.error().message;
    spec_ = std::move(extraction->spec);
    build_.spec = &spec_;
    build_.level = findLevel("x86-64-v3");
    build_.compiler = &compiler_;
    build_.command = request.command;
    build_.sandbox = &sandbox_;
    build_.cacheDirectory = folder + "/cache";
  }

  InstrumentedContext instruments() {
    InstrumentedContext context;
    context.build = &build_;
    context.run = context_;
    context.programs = &programs_;
    context.tests = &facts_;
    context.directory = scratch_->path() / "instrumented";
    return context;
  }

  BuiltCandidate candidate(const std::string &text) {
    BuiltCandidate built;
    built.unit = buildCandidateUnit({spec_, *build_.level, compiler_.family, "fast.cpp"}, text);
    EXPECT_TRUE(built.unit.findings.empty()) << built.unit.findings.front().message;
    built.text = text;
    built.name = "fast.cpp";
    return built;
  }

  SanitizeOutcome sanitized(const std::string &text) {
    const InstrumentedContext context = instruments();
    Result<SanitizeFacts> facts = learnSanitize(context);
    EXPECT_TRUE(facts) << facts.error().message;
    if (!facts)
      return {};
    remarks_ = facts->remarks;
    Result<SanitizeOutcome> outcome = sanitize(context, *facts, candidate(text));
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(SanitizeOutcome());
  }

  Compiler compiler_;
  KernelSpec spec_;
  BuildContext build_;
  std::vector<TestProgram> programs_;
  TestFacts facts_;
  std::vector<std::string> remarks_;
};

TEST_P(Instruments, AnHonestCandidatePasses) {
  const SanitizeOutcome outcome =
      sanitized("void square(const float *x, float *y, int n) {\n"
                "  float block[8];\n"
                "  for (int i = 0; i < n; i += 8) {\n"
                "    for (int j = 0; j < 8 && i + j < n; ++j) block[j] = x[i + j];\n"
                "    for (int j = 0; j < 8 && i + j < n; ++j) y[i + j] = block[j] * block[j];\n"
                "  }\n"
                "}\n");
  EXPECT_TRUE(outcome.ranTests);
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  EXPECT_THAT(remarks_, IsEmpty());
  EXPECT_THAT(outcome.remarks, IsEmpty());
}

TEST_P(Instruments, AnAccessBehindALocalArray) {
  const SanitizeOutcome outcome = sanitized("void square(const float *x, float *y, int n) {\n"
                                            "  float block[8];\n"
                                            "  float *p = block;\n"
                                            "  __asm__(\"\" : \"+r\"(p));\n"
                                            "  for (int i = 0; i < n; ++i) {\n"
                                            "    block[i & 7] = x[i];\n"
                                            "    y[i] = p[i & 7] * p[i & 7];\n"
                                            "    if (i == 50)\n"
                                            "      y[i] += 0 * p[8];\n"
                                            "  }\n"
                                            "}\n");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, AllOf(HasSubstr("fast.cpp:9"), HasSubstr("memory error: stack-buffer-overflow (a read)"),
                                    Not(HasSubstr("/")), Not(HasSubstr("0x"))));
}

TEST_P(Instruments, UndefinedBehaviourAtItsPlace) {
  const SanitizeOutcome outcome = sanitized("static int shifted(int v, int by) {\n"
                                            "  return v << by;\n"
                                            "}\n"
                                            "void square(const float *x, float *y, int n) {\n"
                                            "  for (int i = 0; i < n; ++i)\n"
                                            "    y[i] = x[i] * x[i] + (shifted(n, n) == 77);\n"
                                            "}\n");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, AllOf(HasSubstr("fast.cpp:2:12: undefined behaviour: shift exponent ? is too large"),
                                    Not(HasSubstr("/"))));
}

TEST_P(Instruments, WhatTheBaselineTripsOverIsNotAsked) {
  const std::string overflow = "  int sum = 0x7fffff00;\n"
                               "  for (int i = 0; i < n; ++i) {\n"
                               "    sum += 99;\n"
                               "    y[i] = x[i] * x[i] + (sum == 77);\n"
                               "  }\n"
                               "}\n";
  open("#define AGENTIC_KERNEL\nAGENTIC_KERNEL void square(const float *x, float *y, int n) {\n" + overflow);
  const std::string signature = "void square(const float *x, float *y, int n) {\n";
  const SanitizeOutcome same = sanitized(signature + overflow);
  EXPECT_TRUE(same.ranTests);
  EXPECT_TRUE(same.passed) << same.detail;
  EXPECT_THAT(remarks_,
              ElementsAre(AllOf(HasSubstr("the unchanged kernel itself: runtime error: signed integer overflow"),
                                Not(HasSubstr("2147")))));
  // Other errors still count.
  const SanitizeOutcome shift = sanitized(signature + "  n += (n << n) & 0;\n" + overflow);
  EXPECT_FALSE(shift.passed);
  EXPECT_THAT(shift.detail, HasSubstr("shift exponent"));
}

TEST_P(Instruments, WithoutARuntimeNothingRunsAndThatIsSaid) {
  const std::string compiler = scratch_->path() / (std::string(GetParam()) + "-bare");
  ASSERT_TRUE(writeFileAtomic(compiler, "#!/bin/sh\necho none\n"));
  fs::permissions(compiler, fs::perms::owner_all);
  compiler_.path = compiler;
  Result<SanitizerRuntimes> runtimes = findSanitizerRuntimes(compiler_);
  ASSERT_TRUE(runtimes);
  EXPECT_THAT(runtimes->libraries, IsEmpty());
  EXPECT_THAT(runtimes->problem, AllOf(HasSubstr("the sanitizers did not run"), HasSubstr("install lib")));
  const Result<SanitizeFacts> facts = learnSanitize(instruments());
  ASSERT_TRUE(facts);
  EXPECT_FALSE(facts->runsTests);
  EXPECT_THAT(facts->remarks, ElementsAre(runtimes->problem));
}

TEST_P(Instruments, CodeThatNoTestRuns) {
  Result<CoverageOutcome> outcome =
      coverCandidate(instruments(), candidate("static float cold(float v) {\n"
                                              "  return v > 3 ? v * v : v * v;\n"
                                              "}\n"
                                              "void square(const float *x, float *y, int n) {\n"
                                              "  for (int i = 0; i < n; ++i)\n"
                                              "    if (n == 4096)\n"
                                              "      y[i] = cold(x[i]);\n"
                                              "    else\n"
                                              "      y[i] = x[i] * x[i];\n"
                                              "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->isKnown);
  EXPECT_FALSE(outcome->isComplete());
  EXPECT_EQ(outcome->total, 7u);
  EXPECT_EQ(outcome->covered, 3u);
  std::vector<std::string> texts;
  for (const UncoveredPlace &place : outcome->uncovered)
    texts.push_back(place.text());
  EXPECT_THAT(texts, ElementsAre("1:14: body of function 'cold'", "6:5: branch of the if"));
  EXPECT_THAT(outcome->remarks, IsEmpty());
}

TEST_P(Instruments, AllOfItRan) {
  Result<CoverageOutcome> outcome =
      coverCandidate(instruments(), candidate("void square(const float *x, float *y, int n) {\n"
                                              "  int i = 0;\n"
                                              "  for (; i + 4 <= n; i += 4)\n"
                                              "    for (int j = 0; j < 4; ++j) y[i + j] = x[i + j] * x[i + j];\n"
                                              "  for (; i < n; ++i) y[i] = x[i] * x[i];\n"
                                              "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->isComplete());
  EXPECT_EQ(outcome->total, 4u);
}

// The candidate causes it: the unchanged kernel compiles.
TEST_P(Instruments, WhatCannotBeCountedIsNotTakenForCovered) {
  Result<CoverageOutcome> outcome =
      coverCandidate(instruments(), candidate("void square(const float *x, float *y, int n) {\n"
                                              "  const int agentic_coverage_at = n;\n"
                                              "  for (int i = 0; i < agentic_coverage_at; ++i) y[i] = x[i] * x[i];\n"
                                              "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_FALSE(outcome->isComplete());
  EXPECT_THAT(outcome->unmeasured,
              AllOf(HasSubstr("does not compile when its places are counted"), Not(HasSubstr("/"))));
  EXPECT_THAT(outcome->remarks, IsEmpty());

  outcome = coverCandidate(instruments(), candidate("void square(const float *x, float *y, int n) {\n"
                                                    "#define FACTOR (n == 4097 ? 2.0f : 1.0f)\n"
                                                    "  for (int i = 0; i < n; ++i) y[i] = FACTOR * x[i] * x[i];\n"
                                                    "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_FALSE(outcome->isComplete());
  EXPECT_THAT(outcome->unmeasured, HasSubstr("line 3: a macro of its own hides a choice"));
}

TEST_P(Instruments, WhatTheBaselineCannotPassEitherIsOnlyRemarked) {
  facts_.front().tests["Square.OfAnotherBuild"] = {.state = TestCase::State::Completed};
  const Result<CoverageOutcome> outcome =
      coverCandidate(instruments(), candidate("void square(const float *x, float *y, int n) {\n"
                                              "  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];\n"
                                              "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->unmeasured, "");
  EXPECT_THAT(outcome->remarks,
              ElementsAre(AllOf(HasSubstr("not even of the unchanged kernel"), HasSubstr("1 tests missing"))));
}

TEST_P(Instruments, WhatDoesNotCompileWithSanitizersAloneDidNotPass) {
  Result<SanitizeFacts> facts = learnSanitize(instruments());
  ASSERT_TRUE(facts) << facts.error().message;
  facts->flags.push_back("-Dfragile=%"); // breaks this candidate and not the baseline
  const Result<SanitizeOutcome> outcome = sanitize(instruments(), *facts,
                                                   candidate("void square(const float *x, float *y, int n) {\n"
                                                             "  for (int fragile = 0; fragile < n; ++fragile)\n"
                                                             "    y[fragile] = x[fragile] * x[fragile];\n"
                                                             "}\n"));
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_FALSE(outcome->ranTests);
  EXPECT_THAT(outcome->unmeasured, HasSubstr("does not compile with sanitizers, although the unchanged kernel does"));
}

TEST_P(Instruments, ATreeThatDoesNotFitIntoTheTimeThatIsLeftIsNotBegun) {
  const Manifest manifest{.kernel = "square", .buildDir = scratch_->path() / "nowhere"}; // an error if it were begun
  const std::vector<GeneratedFile> none;
  SanitizedTreeRequest request;
  request.manifest = &manifest;
  request.files = &none;
  request.tests = &facts_;
  request.context = context_;
  request.treeSeconds = 100;
  request.secondsLeft = 150;
  const Result<SanitizedTreeOutcome> outcome = runSanitizedTree(request);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->passed);
  EXPECT_FALSE(outcome->ran);
  EXPECT_THAT(outcome->remark,
              AllOf(HasSubstr("not tested in a tree built with sanitizers throughout: it takes about 20"),
                    HasSubstr("150 s are left of --max-total-seconds")));
}

TEST_P(Instruments, CodeOfTheUnchangedKernelThatNothingRuns) {
  const std::string head = "namespace {\ninline float twice(float v) { return v > 1e9f ? 1e9f : 2 * v; }\n}\n";
  open(head + "#define AGENTIC_KERNEL\n"
              "AGENTIC_KERNEL void square(const float *x, float *y, int n) {\n"
              "  if (n > 1000000) {\n"
              "    for (int i = 0; i < n; ++i)\n"
              "      y[i] = twice(x[i]);\n"
              "    return;\n"
              "  }\n"
              "  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];\n"
              "}\n");
  Result<BaselineCoverage> coverage = baselineCoverage(instruments());
  ASSERT_TRUE(coverage) << coverage.error().message;
  EXPECT_EQ(coverage->covered, 3u);
  EXPECT_EQ(coverage->total, 5u) << "the helper is no code of candidates";
  const std::string folder = fs::path(spec_.source).parent_path();
  EXPECT_EQ(
      uncoveredSentence(*coverage, folder),
      "no test, recorded call or generated call runs 2 of 5 places of the unchanged kernel (square.cpp:6:3: branch "
      "of the if), and a winner that keeps such code is not written back: add a test that runs it, let "
      "AGENTIC_REQUIRES exclude what it is for, or pass --allow-uncovered");

  Prepared prepared;
  prepared.manifest.buildDir = scratch_->path();
  prepared.manifest.kernel = "square";
  prepared.specKey = "spec";
  prepared.factsKey = "facts";
  EXPECT_FALSE(keptBaselineCoverage(prepared));
  ASSERT_TRUE(keepBaselineCoverage(prepared, *coverage));
  const auto kept = keptBaselineCoverage(prepared);
  ASSERT_TRUE(kept);
  EXPECT_EQ(uncoveredSentence(*kept, folder), uncoveredSentence(*coverage, folder));
  prepared.factsKey = "other tests";
  EXPECT_FALSE(keptBaselineCoverage(prepared));
}

INSTANTIATE_TEST_SUITE_P(Compilers, Instruments, testing::Values("clang++-19", "g++"));

} // namespace
} // namespace agentic
