// wrapKernel: what it writes is a kernel, compiles with both compilers, and computes what the function did.
#include "tests/source/extract_fixture.h"
#include "tool/base/process.h"
#include "tool/source/extract/wrap.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHead = "#include <cstddef>\n#include <cstdint>\n";

class WrapTest : public ::testing::Test {
protected:
  Result<Wrapping> wrap(const std::string &text) {
    project_.write("src/k.cpp", text);
    return wrapKernel(project_.request("src/k.cpp"));
  }
  std::string whyNot(const std::string &text) {
    const Result<Wrapping> wrapping = wrap(text);
    return wrapping ? "wrapped: " + wrapping->source : wrapping.error().message;
  }
  /// Compiles and runs the text with a main function; returns its exit status.
  int run(const std::string &compiler, const std::string &text, const std::string &call) {
    project_.write("src/run.cpp",
                   "#define AGENTIC_KERNEL\n#define AGENTIC_IN(...)\n" + text + "\nint main() { " + call + " }\n");
    const Result<ProcessResult> compiled =
        runProcess({.argv = {compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", project_.path("src/run.cpp"), "-o",
                             project_.path("run")},
                    .timeoutSeconds = 60});
    EXPECT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->err : compiled.error().message) << text;
    const Result<ProcessResult> done = runProcess({.argv = {project_.path("run")}, .timeoutSeconds = 60});
    return done && done->end == ProcessResult::End::Exited ? done->code : -1;
  }
  /// `call` gives an exit status.
  void expectSame(const std::string &text, const std::string &call, int status) {
    const Result<Wrapping> wrapping = wrap(kHead + text);
    ASSERT_TRUE(wrapping) << wrapping.error().message << "\n" << wrapping.error().next << text;
    for (const char *compiler : {"clang++-19", "g++"})
      EXPECT_EQ(run(compiler, wrapping->source, call), status) << wrapping->source;
  }

  ScratchProject project_;
};

TEST_F(WrapTest, MembersBecomeParameters) {
  expectSame("class Counter {\npublic:\n  explicit Counter(uint32_t w) : weight_(w) {}\n"
             "  uint32_t bits(const uint32_t *p, size_t n) const;\nprivate:\n  uint32_t weight_;\n};\n"
             "AGENTIC_KERNEL\nAGENTIC_IN(p, n)\nuint32_t Counter::bits(const uint32_t *p, size_t n) const {\n"
             "  uint32_t s = 0;\n  for (size_t i = 0; i < n; ++i) { uint32_t x = p[i]; while (x) { x &= x - 1; s += "
             "this->weight_; } }\n  return s;\n}\n",
             "const uint32_t v[] = {7, 1}; return int(Counter(3).bits(v, 2));", 12);
  expectSame(
      "namespace dsp {\nstruct Filter {\n  enum { kTaps = 2 };\n  using Sample = int;\n  int memory[kTaps] = {}; "
      "int calls = 0;\n  void run(const Sample *x, Sample *y, int n) noexcept;\n};\n"
      "AGENTIC_KERNEL void Filter::run(const Sample *x, Sample *y, int n) noexcept {\n"
      "  for (int i = 0; i < n; ++i) {\n    Sample s = x[i];\n    for (int k = 0; k < kTaps; ++k) s += memory[k];\n"
      "    memory[i % kTaps] = x[i];\n    y[i] = s;\n  }\n  ++calls;\n}\n}\n",
      "dsp::Filter f; const int x[] = {1, 2, 4}; int y[3]; f.run(x, y, 3); return y[2] * 10 + f.calls;", 71);
}

TEST_F(WrapTest, AnInstanceOfATemplateIsAKernel) {
  expectSame(
      "template <class W, int kBits>\nAGENTIC_KERNEL\nuint32_t bitsOf(const W *p, size_t n) {\n  uint32_t s = 0;\n"
      "  for (size_t i = 0; i < n; ++i) { W x = p[i]; while (x) { x &= x - 1; s += kBits; } }\n  return s;\n}\n"
      "uint32_t bits(const uint32_t *p, size_t n) { return bitsOf<uint32_t, 2>(p, n); }\n"
      "uint32_t longs(const uint64_t *p, size_t n) { return bitsOf<uint64_t, 1>(p, n); }\n",
      "const uint32_t v[] = {7, 1}; const uint64_t w[] = {1}; return int(bits(v, 2) * 10 + longs(w, 1));", 81);
}

TEST_F(WrapTest, AMemberThatChangesMeanwhileIsReadEachTime) {
  expectSame("struct Body {\n  int mass = 3;\n  void pull(Body *all, int n);\n};\n"
             "AGENTIC_KERNEL void Body::pull(Body *all, int n) {\n"
             "  for (int i = 0; i < n; ++i)\n    all[i].mass = mass - 1;\n}\n",
             "Body b[3]; b[0].pull(b, 3); return b[0].mass * 100 + b[1].mass * 10 + b[2].mass;", 211);
  expectSame(
      "struct Scale {\n  int by = 2;\n  void all(int *x, int n) const;\n};\n"
      "AGENTIC_KERNEL void Scale::all(int *x, int n) const {\n  for (int i = 0; i < n; ++i)\n    x[i] = by + 1;\n}\n",
      "Scale s; s.all(&s.by, 1); s.all(&s.by, 1); return s.by;", 4);
}

TEST_F(WrapTest, OperatorsOfObjectsStay) {
  expectSame("#include <array>\n"
             "struct Sum { int value = 0; Sum &operator+=(int x) { value += x; return *this; } };\n"
             "struct Table { std::array<int, 3> of{1, 2, 4}; int sum(const int *x, int n) const; };\n"
             "AGENTIC_KERNEL int Table::sum(const int *x, int n) const {\n  Sum s;\n"
             "  for (int i = 0; i < n; ++i)\n    s += of[std::size_t(x[i])];\n  return s.value;\n}\n",
             "const int x[] = {2, 1}; return Table().sum(x, 2);", 6);
}

TEST_F(WrapTest, InlineFunctionsAndStaticMembers) {
  expectSame(
      "inline int twice(const int *x, int n) { int s = 0; for (int i = 0; i < n; ++i) s += 2 * x[i]; return s; }\n"
      "struct S { static const int kTwo = 2; static int f(const int *x, int n); };\n"
      "AGENTIC_KERNEL int S::f(const int *x, int n) { return kTwo * twice(x, n); }\n",
      "const int x[] = {1, 2}; return S::f(x, 2);", 12);
  const Result<Wrapping> wrapping = wrap("AGENTIC_KERNEL inline int f(const int *x) { return *x; }\n");
  ASSERT_TRUE(wrapping);
  EXPECT_THAT(wrapping->note, HasSubstr("inline"));
  EXPECT_EQ(wrapping->source, "AGENTIC_KERNEL\nstatic int f_kernel(const int *x) { return *x; }\n\n"
                              "inline int f(const int *x) {\n  return f_kernel(x);\n}\n");
}

TEST_F(WrapTest, WhatNoWrapperCanDoIsSaidWithItsPlace) {
  const std::string record = "struct S { int n; int get() const; int f(int *x); private: static int secret; };\n";
  EXPECT_THAT(whyNot(record + "AGENTIC_KERNEL int S::f(int *x) {\n  return *x + get();\n}\n"),
              HasSubstr("k.cpp:3:15: it calls 'get' of its object"));
  EXPECT_THAT(whyNot(record + "S *last;\nAGENTIC_KERNEL int S::f(int *x) { last = this; return *x; }\n"),
              HasSubstr("uses 'this' itself"));
  EXPECT_THAT(whyNot(record + "AGENTIC_KERNEL int S::f(int *x) { return *x + secret; }\n"),
              HasSubstr("only its class can name"));
  EXPECT_THAT(whyNot(record + "AGENTIC_KERNEL int S::f(int *n) { return *n + this->n; }\n"),
              HasSubstr("both called 'n'"));
  EXPECT_THAT(whyNot(record + "AGENTIC_KERNEL int S::f(int *x) {\n  int n = *x;\n  this->n += n;\n  return n;\n}\n"),
              HasSubstr("k.cpp:3:7: it has a local variable and uses a member that are both called 'n'"));
  EXPECT_THAT(whyNot("struct V { volatile int on; int f(int n); };\nAGENTIC_KERNEL int V::f(int n) {\n"
                     "  while (!on) ++n;\n  return n;\n}\n"),
              HasSubstr("k.cpp:3:11: it reads or writes 'on', which is volatile"));
  EXPECT_THAT(
      whyNot("constexpr int lim = 9;\n#define LIMIT lim\nstruct L { static constexpr int lim = 3; int f(int n); "
             "};\nAGENTIC_KERNEL int L::f(int n) { return n + LIMIT; }\n"),
      HasSubstr("uses 'lim' of its class through a macro"));
  EXPECT_THAT(whyNot("AGENTIC_KERNEL void f(int *x) { *x = 1; }\n"), HasSubstr("needs no wrapper"));
  EXPECT_THAT(whyNot("class E {\n  enum Mode { A, B };\npublic:\n  int f(Mode m, int n);\n};\n"
                     "AGENTIC_KERNEL int E::f(Mode m, int n) {\n  return int(m) + n;\n}\n"),
              AllOf(HasSubstr("k.cpp:6:25: it uses 'Mode', which only its class can name; make it public"),
                    Not(HasSubstr("unparsable"))));
  EXPECT_THAT(whyNot("void f(int *x) { *x = 1; }\n"), HasSubstr("no function in"));
}

} // namespace
} // namespace agentic
