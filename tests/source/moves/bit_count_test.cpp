#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

std::string counted(const std::string &body, const std::string &target = "x") {
  return transformedBy(
      kernelSpec("unsigned long f(const unsigned long *a, size_t n, unsigned long *out) {\n" + body + "\n}"),
      "bit-count(" + target + ")");
}
std::string verdictOn(const std::string &body, const std::string &target = "x") {
  return refusalOf(
      kernelSpec("unsigned long f(const unsigned long *a, size_t n, unsigned long *out) {\n" + body + "\n}"),
      "bit-count", target);
}

/// Puts `loop` around an unsigned long x that is new in each iteration.
std::string inLoop(const std::string &loop) {
  return "unsigned long count = 0;\nfor (size_t i = 0; i < n; ++i) {\nunsigned long x = a[i];\n" + loop +
         "\n}\nreturn count;";
}

TEST(BitCount, Text) {
  EXPECT_EQ(counted(inLoop("while (x != 0) {\n x &= x - 1; // clears one\n ++count;\n}")),
            R"(// Moves: bit-count(x).
// The loop over the bits of 'x' only counted them: there is an instruction for
// that.
unsigned long f(const unsigned long *a, size_t n, unsigned long *out) {
  unsigned long count = 0;
  for (size_t i = 0; i < n; ++i) {
    unsigned long x = a[i];
    count += static_cast<unsigned long>(__builtin_popcountll(x));
  }
  return count;
}
)");
}

TEST(BitCount, AllForms) {
  const std::string result = "count += static_cast<unsigned long>(__builtin_popcountll(x));\n  }\n  return";
  for (const char *loop :
       {"while (x) { ++count; x &= x - 1; }", "while (x > 0) { x = x & (x - 1); count++; }",
        "while (0 != x) { x = (x - 1) & x; count += 1; }", "while (x) { x ^= x & -x; count = count + 1; }",
        "for (; x; x &= x - 1) ++count;", "for (; x != 0; x -= -x & x) { count += 1ul; }",
        "while (x) { count += x & 1; x >>= 1; }", "for (; x; x = x >> 1) count += 1 & x;",
        "while (x) { if (x & 1) ++count; x >>= 1; }", "while (x) { if ((x & 1) != 0) { count += 1; } x >>= 1; }"})
    EXPECT_THAT(counted(inLoop(loop)), HasSubstr(result)) << loop;
}

TEST(BitCount, TypesOfTheCount) {
  const auto with = [](const std::string &type) {
    return counted(type + " c = 0; unsigned x = a[0]; while (x) { x &= x - 1; ++c; } return c;");
  };
  EXPECT_THAT(with("int"), HasSubstr("c += __builtin_popcount(x);"));
  EXPECT_THAT(with("long"), HasSubstr("c += static_cast<long>(__builtin_popcount(x));"));
  EXPECT_THAT(with("signed char"), HasSubstr("c = static_cast<signed char>(c + __builtin_popcount(x));"));
  EXPECT_THAT(with("float"), HasSubstr("error"));
  EXPECT_THAT(with("__int128"), HasSubstr("error"));
}

TEST(BitCount, KeepsWhatTheVariableEndsAs) {
  EXPECT_THAT(counted(inLoop("while (x) { x &= x - 1; ++count; } out[i] = x;")), HasSubstr("x = 0;\n    out[i] = x;"));
  EXPECT_THAT(counted("unsigned long x = a[0], c = 0; for (size_t i = 0; i < n; ++i) { out[i] = x; while (x) { x &= x "
                      "- 1; ++c; } } return c;"),
              HasSubstr("x = 0;"));
  EXPECT_THAT(counted("unsigned long x = a[0], c = 0; unsigned long *p = &x; while (x) { x &= x - 1; ++c; } return c + "
                      "*p;"),
              HasSubstr("x = 0;"));
  EXPECT_THAT(counted("unsigned long x = a[0], c = 0; if (n) while (x) { x &= x - 1; ++c; } return c + x;"),
              HasSubstr("{\n    c += static_cast<unsigned long>(__builtin_popcountll(x));\n    x = 0;\n  }\n  return"));
  EXPECT_THAT(counted("int c = 0; for (unsigned char x = n; x; x &= x - 1) ++c; return c;"),
              HasSubstr("c += __builtin_popcount(static_cast<unsigned char>(n));\n  return"));
  EXPECT_THAT(counted("int c = 0; unsigned x; for (x = n; x; x &= x - 1) ++c; return c + x;"),
              HasSubstr("x = n;\n  c += __builtin_popcount(x);\n  x = 0;\n  return"));
}

TEST(BitCount, AnyLoopOfTheName) {
  const std::string text =
      counted("int c = 0; for (size_t i = 0; i < n; ++i) { unsigned x = n; while (x) { x &= x - 1; ++c; } } if (n) { "
              "unsigned long x = n; while (x) { c -= x & 1; x >>= 1; } } return c;");
  EXPECT_THAT(text, HasSubstr("c += __builtin_popcount(x)"));
  EXPECT_THAT(text, HasSubstr("c -= __builtin_popcountll(x)"));
}

TEST(BitCount, RefusesSignedNumbers) {
  EXPECT_THAT(verdictOn("int c = 0; int x = n; while (x) { c += x & 1; x >>= 1; } return c;"), HasSubstr("signed"));
  EXPECT_THAT(verdictOn("int c = 0; int x = n; while (x != 0) { x &= x - 1; ++c; } return c;"), HasSubstr("signed"));
}

TEST(BitCount, LeavesOtherLoops) {
  for (const char *loop :
       {"while (x) { x >>= 1; count += x & 1; }", "while (x) { x >>= 1; ++count; }",
        "while (x) { x &= x - 1; count += 2; }", "while (x) { x &= x - 1; count += x & 1; }",
        "while (x) { x &= x - 2; ++count; }", "while (x > 1) { x &= x - 1; ++count; }",
        "while (x) { x &= x - 1; ++count; ++count; }", "while (x) { x &= x - 1; ++count; out[0] = 1; }",
        "while (x) { x &= x - 1; ++out[0]; }", "while (x) { count += x & 1; x >>= 2; }",
        "for (; x; x &= x - 1) { ++count; x >>= 1; }", "while (x) { x &= count - 1; ++count; }",
        "while (x) { x &= (unsigned)(x - 1); ++count; }", "while (x) { if (x & 1) ++count; else --count; x >>= 1; }",
        "while (x) { if (x & 1) ++count; x &= x - 1; }", "while (x) { x &= x - 1; if (n) break; }",
        "while (x) { if (count & 1) ++count; x >>= 1; }", "do { x &= x - 1; ++count; } while (x);"})
    EXPECT_EQ(verdictOn(inLoop(loop)), "not mentioned") << loop;
}

TEST(BitCount, RefusesDirectivesAndVolatile) {
  EXPECT_THAT(verdictOn(inLoop("\n#pragma GCC ivdep\nwhile (x) { x &= x - 1; ++count; }")), HasSubstr("directive"));
  EXPECT_THAT(verdictOn(inLoop("while (x) { x &= x - 1;\n#ifdef A\n#endif\n++count; }")), HasSubstr("directive"));
  EXPECT_THAT(verdictOn("volatile unsigned x = n; int c = 0; while (x) { x &= x - 1; ++c; } return c;"),
              HasSubstr("no integer variable"));
  EXPECT_THAT(verdictOn("static int c = 0; unsigned x = n; while (x) { x &= x - 1; ++c; } return c;"),
              HasSubstr("the function's own"));
}

TEST(BitCount, RefusesOneVariableForBoth) {
  EXPECT_THAT(verdictOn(inLoop("while (x) { x &= x - 1; ++x; }")), HasSubstr("in two ways"));
}

TEST(BitCount, SumsCanBeSplitAfterwards) {
  const KernelSpec spec = kernelSpec("unsigned long f(const unsigned long *a, size_t n) {\n" +
                                     inLoop("while (x) { x &= x - 1; ++count; }") + "\n}");
  EXPECT_THAT(transformedBy(spec, "bit-count(x); split-reduction(i, lanes=16)"), HasSubstr("countLane"));
}

} // namespace
} // namespace agentic
