// Candidates with right results that depend on values that nobody set, and honest ones that look similar: under
// MemorySanitizer on calls made here, by both compilers, and through the whole pipeline.
#include "tests/evaluate/project_fixture.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/instruments/unset_values.h"
#include "tool/source/extract/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kSignature = "unsigned sums(const unsigned *x, unsigned *y, int n)";
const std::string kBaseline = "{\n"
                              "  unsigned sum = 0;\n"
                              "  for (int i = 0; i < n; ++i)\n"
                              "    y[i] = sum += x[i];\n"
                              "  return sum;\n"
                              "}\n";

template <class T> std::vector<std::byte> bytesOf(const std::vector<T> &values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

PlannedCall callOf(int n) {
  std::vector<unsigned> x;
  for (int i = 0; i < n; ++i)
    x.push_back(unsigned(i) * 7 + 3);
  PlannedCall planned;
  planned.call.arguments = {
      {{.role = wire::Role::In, .address = 0x100010}, bytesOf(x)},
      {{.role = wire::Role::Out, .address = 0x900020}, bytesOf(std::vector<unsigned>(std::size_t(n)))},
      {{.role = wire::Role::Value}, bytesOf(std::vector<int>{n})}};
  return planned;
}

class UnsetValues : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    Result<ScratchDirectory> scratch = ScratchDirectory::create("/tmp", "agentic-unset-");
    ASSERT_TRUE(scratch) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    ASSERT_TRUE(createDirectories(folder() + "/cache"));
    ASSERT_TRUE(createDirectories(folder() + "/instrumented"));
    Result<Compiler> compiler = identifyCompiler(GetParam(), folder() + "/cache");
    ASSERT_TRUE(compiler) << compiler.error().message;
    compiler_ = std::move(*compiler);
    Plan plan;
    for (const int n : {0, 1, 100}) {
      PlanStep step;
      step.header.call = plan.calls.size();
      step.header.prefill = wire::Prefill::Poison;
      plan.calls.push_back(callOf(n));
      plan.steps.insert(plan.steps.end(), 2, step);
    }
    expectation_.planFile = folder() + "/plan";
    expectation_.steps.resize(plan.steps.size());
    ASSERT_TRUE(writeFileAtomic(expectation_.planFile, plan.bytes()));
    context_.build = &build_;
    context_.replay.kernel = "sums";
    context_.replay.sandbox = &sandbox_;
    context_.expectation = &expectation_;
    context_.directory = folder() + "/instrumented";
  }

  std::string folder() const { return scratch_->path().string(); }

  void learn(const std::string &body) {
    const std::string file = folder() + "/sums.cpp";
    ASSERT_TRUE(writeFileAtomic(file, "#define AGENTIC_KERNEL\nAGENTIC_KERNEL " + kSignature + " " + body));
    ExtractRequest request;
    request.kernel = "sums";
    request.source = file;
    request.projectRoot = folder();
    request.command = {folder(), file, {compiler_.path, "-O2", "-std=c++17", "-c", file, "-o", "sums.o"}, ""};
    request.compiler = compiler_;
    Result<Extraction> extraction = extractKernel(request);
    ASSERT_TRUE(extraction) << extraction.error().message;
    spec_ = std::move(extraction->spec);
    build_.spec = &spec_;
    build_.level = findLevel("x86-64-v3");
    build_.compiler = &compiler_;
    build_.command = request.command;
    build_.sandbox = &sandbox_;
    build_.cacheDirectory = folder() + "/cache";
    Result<UnsetFacts> facts = learnUnset(context_);
    ASSERT_TRUE(facts) << facts.error().message;
    facts_ = std::move(*facts);
  }

  UnsetOutcome find(const std::string &text) {
    BuiltCandidate built;
    built.text = text;
    built.name = "fast.cpp";
    Result<UnsetOutcome> outcome = findUnset(context_, facts_, built);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(UnsetOutcome());
  }

  std::optional<ScratchDirectory> scratch_;
  Sandbox sandbox_ = Sandbox::probe();
  Compiler compiler_;
  KernelSpec spec_;
  BuildContext build_;
  Expectation expectation_;
  InstrumentedContext context_;
  UnsetFacts facts_;
};

TEST_P(UnsetValues, CandidatesBesideAnHonestBaseline) {
  learn(kBaseline);
  ASSERT_THAT(facts_.remarks, IsEmpty());
  EXPECT_EQ(facts_.steps, 3u) << "the same call with the same contents is done once";
  EXPECT_THAT(facts_.baseline, IsEmpty()) << "it sets all of its outputs";

  // This array is set in part, and no other part is read.
  UnsetOutcome outcome = find(kSignature + " {\n"
                                           "  unsigned block[8], sum = 0;\n"
                                           "  for (int i = 0; i < n; i += 8) {\n"
                                           "    for (int j = 0; j < 8 && i + j < n; ++j) block[j] = x[i + j];\n"
                                           "    for (int j = 0; j < 8 && i + j < n; ++j) y[i + j] = sum += block[j];\n"
                                           "  }\n"
                                           "  return sum;\n"
                                           "}\n");
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  EXPECT_THAT(outcome.unmeasured, IsEmpty());
  EXPECT_THAT(outcome.remarks, IsEmpty());

  // The same array, but the old contents of the stack decide.
  outcome = find("static __attribute__((noinline)) unsigned look(unsigned *p, int n) {\n"
                 "  for (int i = 0; i < n; ++i) p[i] = 0;\n"
                 "  return p[9] & p[12] & p[20];\n"
                 "}\n" +
                 kSignature +
                 " {\n"
                 "  unsigned left[32], sum = 0;\n"
                 "  const bool isKnown = look(left, n & 7) == ~0u;\n"
                 "  for (int i = 0; i < n; ++i) y[i] = sum += x[i];\n"
                 "  if (isKnown && n > 4000) return 17;\n"
                 "  return sum;\n"
                 "}\n");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail,
              AllOf(StartsWith("fast.cpp:"), HasSubstr("depends on a value that nobody set"), Not(HasSubstr("/"))));

  // Without a branch: the old contents are added to the result as a zero.
  outcome = find(kSignature + " {\n"
                              "  unsigned left[4], sum = 0;\n"
                              "  volatile unsigned *p = left;\n"
                              "  for (int i = 0; i < (n & 1); ++i) p[i] = 0;\n"
                              "  for (int i = 0; i < n; ++i) y[i] = sum += x[i];\n"
                              "  if (n > 4) y[4] += p[3] & 0;\n"
                              "  return sum + (p[2] >> 31);\n"
                              "}\n");
  EXPECT_FALSE(outcome.passed);
  EXPECT_THAT(outcome.detail, AllOf(StartsWith("fast.cpp:"), HasSubstr("a value that nobody set")));

  // Some elements are left out.
  outcome = find(kSignature + " {\n"
                              "  unsigned sum = 0;\n"
                              "  for (int i = 0; i < n; ++i) {\n"
                              "    sum += x[i];\n"
                              "    if (i != 70) y[i] = sum;\n"
                              "  }\n"
                              "  return sum;\n"
                              "}\n");
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.detail, "fast.cpp: what it leaves in 'y' depends on a value that nobody set, or is not set at all "
                            "(MemorySanitizer)");

  // Nothing is known of a candidate that ends the process, or never ends.
  std::string text = kSignature + " " + kBaseline;
  text.insert(text.find("  return"), "  if (n == 100) __builtin_trap();\n");
  outcome = find(text);
  EXPECT_TRUE(outcome.passed);
  EXPECT_THAT(outcome.unmeasured, HasSubstr("do not end, although those of the unchanged kernel do: "));

  // Unset operands of an intrinsic that MemorySanitizer does not know are no proof: here they reach no result.
  outcome = find("#include <immintrin.h>\n" + kSignature +
                 " {\n"
                 "  unsigned char block[16];\n"
                 "  volatile unsigned char *p = block;\n"
                 "  for (int i = 0; i < 4; ++i) p[i] = 0;\n"
                 "  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(block));\n"
                 "  unsigned sum = _mm_extract_epi16(_mm_mpsadbw_epu8(bytes, bytes, 0), 0);\n"
                 "  for (int i = 0; i < n; ++i) y[i] = sum += x[i];\n"
                 "  return sum;\n"
                 "}\n");
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  EXPECT_THAT(outcome.unmeasured,
              AllOf(StartsWith("fast.cpp:7"), HasSubstr("an intrinsic gets a value of which nobody set all bits")));

  // Only g++ takes this text.
  text = kSignature + " " + kBaseline;
  text.insert(text.find("  return"), "  typedef int v4 __attribute__((vector_size(16)));\n"
                                     "  const v4 last = {n, 0, 0, 0};\n"
                                     "  if (__builtin_shuffle(last, v4{0, 0, 0, 0})[3] == 0) return 0;\n");
  outcome = find(text);
  if (compiler_.family == Family::Gcc) {
    EXPECT_TRUE(outcome.passed);
    EXPECT_THAT(outcome.unmeasured, IsEmpty());
    EXPECT_THAT(outcome.remarks,
                ElementsAre(AllOf(StartsWith("MemorySanitizer: not run: only g++ compiles the candidate: "),
                                  HasSubstr("__builtin_shuffle"), Not(HasSubstr("/")))));
  } else {
    EXPECT_THAT(outcome.unmeasured, HasSubstr("does not compile with MemorySanitizer"));
  }
}

TEST_P(UnsetValues, WhatTheBaselineLeavesUnsetIsNotAsked) {
  learn("{\n  for (int i = 0; i < n; i += 2)\n    y[i] = x[i];\n  return 1;\n}\n");
  ASSERT_THAT(facts_.remarks, IsEmpty());
  EXPECT_THAT(facts_.baseline, Not(IsEmpty()));
  UnsetOutcome outcome =
      find(kSignature + " {\n  for (int i = 0; i < n; ++i)\n    if (i % 2 == 0) y[i] = x[i];\n  return 1;\n}\n");
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  EXPECT_THAT(outcome.unmeasured, IsEmpty());
  const std::string sparse = kSignature + " {\n  for (int i = 0; i < n; i += 4)\n    y[i] = x[i];\n  return 1;\n}\n";
  EXPECT_FALSE(find(sparse).passed);

  // The facts are kept for the next process, with the baseline.
  const std::string kept = folder() + "/kept", learnt = facts_.baseline;
  ASSERT_TRUE(saveUnsetFacts(kept, "key", facts_));
  fs::remove(learnt);
  Result<std::optional<UnsetFacts>> loaded = loadUnsetFacts(context_, kept, "key");
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->steps, facts_.steps);
  facts_ = **loaded;
  EXPECT_FALSE(find(sparse).passed);
  EXPECT_TRUE(find(kSignature + " {\n  for (int i = 0; i < n; i += 2)\n    y[i] = x[i];\n  return 1;\n}\n").passed);
  loaded = loadUnsetFacts(context_, kept, "another");
  EXPECT_TRUE(loaded && !*loaded);
  fs::remove(facts_.baseline);
  loaded = loadUnsetFacts(context_, kept, "key");
  EXPECT_TRUE(loaded && !*loaded);
}

TEST_P(UnsetValues, ABaselineThatWorksWithThemSaysThatNothingWasDone) {
  learn("{\n"
        "  unsigned left[4];\n"
        "  volatile unsigned *p = left;\n"
        "  for (int i = 0; i < n; ++i) y[i] = x[i];\n"
        "  return p[1] == 5 ? 1 : 2;\n"
        "}\n");
  EXPECT_EQ(facts_.steps, 0u);
  ASSERT_TRUE(saveUnsetFacts(folder() + "/kept", "key", facts_));
  EXPECT_FALSE(fs::exists(folder() + "/kept")) << "the reason may be gone when the next process asks";
  EXPECT_THAT(facts_.remarks, ElementsAre("MemorySanitizer: not run: the unchanged kernel itself works with a value "
                                          "that nobody set"));
  const UnsetOutcome outcome = find("nonsense");
  EXPECT_TRUE(outcome.passed);
  EXPECT_THAT(outcome.unmeasured, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Compilers, UnsetValues, testing::Values("clang++-19", "g++"));

// The whole pipeline. Both are thousands of times faster than the baseline, so evaluate() itself judges them.
TEST(UnsetValuesPipeline, OfTwoThatAreRightTheOneThatLooksAtItsStackIsRejected) {
  const Project project("project");
  auto opened = project.open("running_sums");
  ASSERT_TRUE(opened) << opened.error().message;
  Evaluator &evaluator = **opened;
  const std::string begin = "static __attribute__((noinline)) unsigned look(unsigned *p, std::size_t n) {\n"
                            "  for (std::size_t i = 0; i < n; ++i)\n    p[i] = 0;\n"
                            "  return p[9] & p[12] & p[20];\n}\n"
                            "void running(const unsigned *x, unsigned *y, std::size_t n) {\n"
                            "  unsigned left[32];\n"
                            "  const unsigned known = 0u - unsigned(look(left, ";
  const std::string rest = ") == ~0u);\n"
                           "  unsigned sum = 0;\n"
                           "  for (std::size_t i = 0; i < n; ++i)\n    y[i] = (sum += x[i]) & ~known;\n}\n";
  const Candidate attack = makeCandidate(begin + "n & 7" + rest, "file: attack.cpp"),
                  honest = makeCandidate(begin + "32" + rest, "file: honest.cpp");
  for (const bool isFull : {false, true}) {
    const Result<Evaluation> bad = isFull ? evaluator.examine(attack) : evaluator.evaluate(attack, nullptr, 0);
    ASSERT_TRUE(bad) << bad.error().message;
    EXPECT_EQ(bad->verdict, Verdict::Rejected);
    EXPECT_EQ(bad->stage, Stage::Sanitize) << bad->detail;
    EXPECT_THAT(bad->detail, HasSubstr("depends on a value that nobody set (MemorySanitizer: "));
    const Result<Evaluation> good = isFull ? evaluator.examine(honest) : evaluator.evaluate(honest, nullptr, 0);
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_EQ(good->verdict, Verdict::Accepted) << good->detail;
    EXPECT_THAT(good->times, Contains(Field(&StageTime::name, "unset-values")));
    EXPECT_THAT(good->review, Not(Contains(HasSubstr("MemorySanitizer"))));
  }
}

} // namespace
} // namespace agentic
