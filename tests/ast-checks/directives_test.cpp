#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

const std::string kDirectives = "directives";

TEST(Directives, FindsWhatIsNotListed) {
  expectFindings(R"cpp(#line 1 "other.cpp"
# 33 "/usr/include/stdio.h" 3 4
namespace {
#define GLOBAL 1
#if defined(NDEBUG)
#endif
#ifdef __clang__
constexpr int a = 1;
#elif defined(__OPTIMIZE__) && __AVX2__
#endif
#if __has_builtin(__builtin_popcount)
#endif
#ifdef __AVX1024__
#line 7
#warning "hello"
it's "unfinished
#endif
#ident "x"
int b() {
#define JOIN(a, b) a##b
#undef JOIN
#define assert(x)
#undef assert
  return __LINE__ + sizeof(__FILE__) + __COUNTER__;
}
%:undef GLOBAL
}
)cpp",
                 {{kDirectives, 1},
                  {kDirectives, 2},
                  {kDirectives, 4},
                  {kDirectives, 5},
                  {kDirectives, 7},
                  {kDirectives, 9},
                  {kDirectives, 11},
                  {kDirectives, 14},
                  {kDirectives, 15},
                  {kDirectives, 18},
                  {kDirectives, 20},
                  {kDirectives, 20},
                  {kDirectives, 22},
                  {kDirectives, 23},
                  {kDirectives, 24},
                  {kDirectives, 24},
                  {kDirectives, 24},
                  {kDirectives, 26}});
}

TEST(Directives, TheListIsLegal) {
  expectFindings(R"cpp(#include <cstddef>
namespace {
#
int a(int x) {
#define STEP 4 /* static */
#define PAREN (2)
#if defined(__AVX512F__) && !defined(__AVX512VNNI__) || __SSE2__ >= 1
  x += STEP;
#elif defined __ARM_NEON
  x += 1;
#else
  x += 2;
#endif
#undef STEP
  const char *text = "#line 3 ## __FILE__"; (void)text; // #define A a##b __LINE__
  const char *raw = R"x(
#define RAW 1
# 7 "x"
)x"; (void)raw;
  /*
#undef COMMENT
  */
  return x + PAREN;
#undef PAREN
}
}
)cpp",
                 {});
}

TEST(Directives, MacrosWithArguments) {
  expectFindings(R"cpp(namespace { int a(int x) {
#define TWICE(y) (2 * (y))
  return TWICE(x);
} }
)cpp",
                 {{kDirectives, 2}});
}

TEST(Directives, OthersAreNotParsed) {
  // A directive that would open another file ends the check before Clang reads it: no error that the file is missing.
  for (std::string directive : {"#include_next <cmath>", "#import \"secret.h\"", "#embed \"secret.bin\"",
                                "#if 0\n#include_next <cmath>\n#endif", "?\?=include \"secret.h\"",
                                "#if __has_include(\"secret.h\")\n#endif"}) {
    CheckOutcome outcome = outcomeOf(directive);
    EXPECT_FALSE(outcome.findings.empty()) << directive;
    EXPECT_TRUE(outcome.errors.empty()) << directive;
  }
}

TEST(Directives, ConditionalsMustBalanceInOwnText) {
  Unit unit;
  unit.mocks = "#if 1";
  expectFindings("#else\n#endif\n", {{kDirectives, 1}, {kDirectives, 2}}, unit);
}

TEST(Directives, ABaselineMayDoAsItLikes) {
  Unit unit;
  unit.kernelSymbol = "";
  unit.mocks = "#define BASE 1";
  expectFindings(
      "#define K BASE\n#if K\n#line 7\n#endif\n__attribute__((annotate(\"agentic_kernel\"))) int f() { return "
      "__LINE__; } // \xc2\xb5s\n",
      {}, unit);
}

} // namespace
} // namespace agentic::checks
