#include "tests/source/emit_fixture.h"

#include "tool/base/hash.h"
#include "tool/source/emit/emit_signature.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using test::makeProvenance;
using test::makeSpec;
using test::makeVariant;
using ::testing::HasSubstr;
using ::testing::Not;

KernelSpec dot() {
  return makeSpec(
      "dot", "/nowhere/src/dot.cpp", {"demo"}, "dot",
      "AGENTIC_KERNEL float dot(const float *a, const float *b, unsigned long n) {\n  return a[0] * b[n];\n}",
      {"a", "b", "n"});
}

TEST(EmitVariant, HeaderSaysWhatAReviewerNeeds) {
  const std::string text = makeVariant(dot(), "x86-64-v3", "clang", "float SYMBOL;\n").text;
  for (const char *part :
       {"kernel 'dot' (demo::dot) for x86-64-v3", "agentic-kernel 0.1.0", "do not edit", "clang-format off",
        "3.14x [3.10, 3.20]", "1.235 ms -> 392.7 us", "builtin, candidate c0123456789", "strip-mine(j, block=16)",
        "2026-11-20T09:05:11Z on Imaginary CPU 9000", "Debian clang version 19.1.7", "-O3 -march=native",
        "pointer arguments do not overlap"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, HasSubstr("#if defined(__x86_64__)\nfloat agentic_kernel_dot__x86_64_v3__clang;\n#endif\n"));
}

TEST(EmitVariant, TextOfOthersCannotLeaveTheComment) {
  Provenance p = makeProvenance("x86-64-v3", "clang");
  p.origin = "nice\nint evil;\\";
  p.cpu = "cpu\r\n#include \"x\"";
  const std::string text = emitVariant(dot(), p, CandidateUnit{"int unit;", "s", {}, {}});
  const std::string head = text.substr(0, text.find("#if"));
  for (std::size_t at = 0; at < head.size(); at = head.find('\n', at) + 1)
    EXPECT_EQ(head.compare(at, 2, "//"), 0) << head.substr(at);
  EXPECT_THAT(head, Not(HasSubstr("\\")));
}

TEST(EmitVariant, HeaderSaysWhatWasLeftOutAndReviewedAndWhyItIsFaster) {
  Provenance p = makeProvenance("x86-64-v3", "clang");
  EXPECT_THAT(emitVariant(dot(), p, CandidateUnit{"int unit;", "s", {}, {}}), Not(HasSubstr("shortened")));
  p.shortening = "9 lines became 7 without\nint a;";
  p.reviewed = "by some:model: 7 lines became 6";
  p.why = "a pass of its hot loop works on vectors of 32 bytes instead of no vectors";
  const std::string head = emitVariant(dot(), p, CandidateUnit{"int unit;", "s", {}, {}});
  EXPECT_THAT(
      head,
      HasSubstr("//   shortened    9 lines became 7 without int a;\n//   reviewed     by some:model: 7 lines became "
                "6\n//   why          a pass of its hot"));
}

TEST(EmitLock, RoundTripAndDeterminism) {
  auto files = emitFiles(
      dot(), {makeVariant(dot(), "x86-64-v3", "gcc", "x\n"), makeVariant(dot(), "x86-64-v4", "clang", "y\n")}, "0.1.0");
  ASSERT_TRUE(files.has_value()) << files.error().message;
  ASSERT_EQ(files->size(), 4u);
  EXPECT_EQ((*files)[0].name, "dot.x86-64-v4.clang.cpp"); // best level first, for any given order
  EXPECT_EQ((*files)[1].name, "dot.x86-64-v3.gcc.cpp");
  EXPECT_EQ((*files)[2].name, "dot.dispatch.inc");
  EXPECT_EQ((*files)[3].name, "dot.lock.json");
  auto again = emitFiles(
      dot(), {makeVariant(dot(), "x86-64-v4", "clang", "y\n"), makeVariant(dot(), "x86-64-v3", "gcc", "x\n")}, "0.1.0");
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ((*files)[i].text, (*again)[i].text);

  auto lock = parseLock((*files)[3].text, "dot.lock.json");
  ASSERT_TRUE(lock.has_value()) << lock.error().message;
  EXPECT_EQ(lock->kernelText, dot().written.text);
  EXPECT_EQ(lock->dispatch.sha256, sha256((*files)[2].text));
  ASSERT_EQ(lock->variants.size(), 2u);
  EXPECT_EQ(lock->variants[0].file.sha256, sha256((*files)[0].text));
  EXPECT_EQ(lock->variants[0].symbol, "agentic_kernel_dot__x86_64_v4__clang");
  EXPECT_EQ(lock->variants[0].provenance.ratio, 3.1416);
  EXPECT_EQ(lock->variants[0].provenance.assumptions,
            dot().parameters.empty() ? std::vector<std::string>{} : makeProvenance("", "clang").assumptions);
  EXPECT_EQ(dumpLock(*lock), (*files)[3].text);
}

TEST(EmitLock, SaysOfAVariantThatNobodyMeasuredIt) {
  VariantSource variant = makeVariant(dot(), "sve", "gcc", "x\n");
  variant.provenance.isTuned = false;
  variant.provenance.cpu = "an emulated CPU (qemu-aarch64)";
  const std::string head = emitVariant(dot(), variant.provenance, CandidateUnit{"int unit;", "s", {}, {}});
  EXPECT_THAT(head, HasSubstr("untuned: never measured"));
  EXPECT_THAT(head, HasSubstr("tested       2026-11-20T09:05:11Z on an emulated CPU"));
  EXPECT_THAT(head, Not(HasSubstr("over the baseline")));
  auto files = emitFiles(dot(), {variant, makeVariant(dot(), "armv8-a", "gcc", "y\n")}, "0.1.0");
  ASSERT_TRUE(files.has_value()) << files.error().message;
  auto lock = parseLock(files->back().text, "dot.lock.json");
  ASSERT_TRUE(lock.has_value()) << lock.error().message;
  EXPECT_FALSE(lock->variants[0].provenance.isTuned);
  EXPECT_TRUE(lock->variants[1].provenance.isTuned);
  EXPECT_EQ(dumpLock(*lock), files->back().text);
}

TEST(EmitLock, HashesProjectHeadersOfAnyLineEnd) {
  const std::string folder = ::testing::TempDir() + "emit_lock";
  std::filesystem::create_directories(folder + "/src");
  std::ofstream(folder + "/dot.h") << "int a;\r\nint b;\r\n";
  KernelSpec spec = dot();
  spec.source = folder + "/src/dot.cpp";
  spec.projectHeaders = {folder + "/dot.h"};
  auto lock = parseLock(emitFiles(spec, {}, "0.1.0")->back().text, "lock");
  ASSERT_EQ(lock->headers.size(), 1u);
  EXPECT_EQ(lock->headers[0].path, "../dot.h");
  EXPECT_EQ(lock->headers[0].sha256, sha256("int a;\nint b;\n"));
  spec.projectHeaders = {folder + "/absent.h"};
  auto failed = emitFiles(spec, {}, "0.1.0");
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().message, HasSubstr("absent.h"));
}

TEST(EmitLock, BrokenTextsAreErrorsThatNameTheFile) {
  for (const char *text : {"", "{", "[]", "{\"schema\":2}", "{\"schema\":1,\"fragments\":[1]}", "<<<<<<< HEAD"}) {
    auto lock = parseLock(text, "generated/dot.lock.json");
    ASSERT_FALSE(lock.has_value()) << text;
    EXPECT_THAT(lock.error().message, HasSubstr("generated/dot.lock.json"));
    EXPECT_FALSE(lock.error().next.empty());
  }
}

TEST(EmitFiles, RefusesWhatCannotBeDispatched) {
  EXPECT_FALSE(emitFiles(dot(), {{makeProvenance("pdp-11", "clang"), "x"}}, "0").has_value());
  EXPECT_FALSE(emitFiles(dot(), {{makeProvenance("x86-64-v3", "msvc"), "x"}}, "0").has_value());
  VariantSource one{makeProvenance("x86-64-v3", "gcc"), "x"};
  EXPECT_FALSE(emitFiles(dot(), {one, one}, "0").has_value());
}

TEST(EmitDispatch, EveryLevelOfTheTableHasAProbe) {
  for (const Level &level : levels())
    EXPECT_TRUE(emitDispatch(dot(), {makeProvenance(std::string(level.name), "clang")}, "0").has_value()) << level.name;
}

TEST(EmitDispatch, CMakeDerivesALevelsIdentifierFromItsName) {
  for (const Level &level : levels()) { // string(MAKE_C_IDENTIFIER) in AgenticKernelLock.cmake
    std::string identifier(level.name);
    for (char &c : identifier)
      if (!std::isalnum(static_cast<unsigned char>(c)))
        c = '_';
    EXPECT_EQ(identifier, level.identifier);
  }
}

TEST(EmitDispatch, NoIncludesAndMarksAroundTheExactBaseline) {
  const std::string text = *emitDispatch(dot(), {makeProvenance("x86-64-v3", "clang")}, "0.1.0");
  EXPECT_THAT(text, Not(HasSubstr("#include")));
  EXPECT_THAT(
      text, HasSubstr("// agentic-kernel: baseline\nAGENTIC_KERNEL float agentic_kernel_baseline_dot(const float *a, "
                      "const float *b, unsigned long n) {\n  return a[0] * b[n];\n}\n// agentic-kernel: generated\n"));
}

struct SignatureCase {
  const char *text, *declarator;
  std::vector<std::string> names;
  const char *expected;
};
TEST(DispatcherSignature, NamesUnnamedParameters) {
  const SignatureCase cases[] = {
      {"void f(int, float *p) {}", "f", {"", "p"}, "void f(int agentic_kernel_argument_0, float *p)"},
      {"int f(int (*)(int), char) {}",
       "f",
       {"", ""},
       "int f(int (* agentic_kernel_argument_0)(int), char agentic_kernel_argument_1)"},
      {"int f(int (&)[4]) {}", "f", {""}, "int f(int (& agentic_kernel_argument_0)[4])"},
      {"int f(int[4]) {}", "f", {""}, "int f(int agentic_kernel_argument_0[4])"},
      {"int f(std::map<int, int>, int b) {}",
       "f",
       {"", "b"},
       "int f(std::map<int, int> agentic_kernel_argument_0, int b)"},
      {"int f(int /* a, b */, int = 3) {}",
       "f",
       {"", ""},
       "int f(int agentic_kernel_argument_0 /* a, b */, int agentic_kernel_argument_1 = 3)"},
      {"void f(void) {}", "f", {}, "void f(void)"}};
  for (const SignatureCase &one : cases) {
    auto result = dispatcherSignature(makeSpec("k", "/s.cpp", {}, one.declarator, one.text, one.names));
    ASSERT_TRUE(result.has_value()) << one.text;
    EXPECT_EQ(result->signature, one.expected);
  }
}

TEST(DispatcherSignature, AnUnclearPlaceIsAnErrorWithANextStep) {
  auto result = dispatcherSignature(makeSpec("k", "/s.cpp", {}, "f", "void f(int a = (1, 2) < 3, int) {}", {"a", ""}));
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().next, HasSubstr("name"));
  result = dispatcherSignature(makeSpec("k", "/s.cpp", {}, "f", "int f(const char *format, ...) {}", {"format"}));
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("variable arguments"));
}

} // namespace
} // namespace agentic
