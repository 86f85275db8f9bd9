#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

std::string kernelWith(const std::string &body) {
  return "void f(const float *A, float *C, size_t M, int N) {\n float s = 0, v;\n float best = 1;\n int n = 0;\n"
         " for (size_t i = 0; i < M; ++i) {\n" +
         body + "\n}\n C[0] = s + best + n;\n}";
}

std::string applied(const std::string &body) {
  return transformedBy(kernelSpec(kernelWith(body)), "if-convert(i)");
}

TEST(IfConvert, Text) {
  EXPECT_THAT(applied("if (A[i] > best)\n best = A[i];"), HasSubstr("    best = (A[i] > best) ? A[i] : best;\n"));
  EXPECT_THAT(applied("if (A[i] > 1)\n s += best * 2;"),
              HasSubstr("    const float sNext = s + (best * 2);\n    s = (A[i] > 1) ? sNext : s;\n"));
  EXPECT_THAT(applied("if (A[i] > 1)\n ++n;"), HasSubstr("    n += (A[i] > 1) ? 1 : 0;\n"));
  EXPECT_THAT(applied("if (A[i] > 1)\n v = 1;\n else\n v = N;\n C[i] = v;"),
              HasSubstr("    v = (A[i] > 1) ? static_cast<float>(1) : static_cast<float>(N);\n"));
  EXPECT_THAT(applied("if (N > 3) {\n s = best;\n best = 2.0f;\n } else\n n = 4;"),
              HasSubstr("    const bool isTaken = N > 3;\n    s = isTaken ? best : s;\n"
                        "    best = isTaken ? 2.0f : best;\n    const bool isOther = !isTaken;\n"
                        "    n = isOther ? 4 : n;\n"));
  // An operation that could overflow stays conditional.
  EXPECT_THAT(applied("if (N > 3)\n n = N * 77;"), HasSubstr("    n = (N > 3) ? N * 77 : n;\n"));
}

TEST(IfConvert, Refuses) {
  EXPECT_THAT(applied("if (N > 3) s += A[i];"), HasSubstr("'A[i]' is read only where the condition holds"));
  EXPECT_THAT(applied("if (N > 3 && A[i] > 2) s += A[i];"), HasSubstr("'A[i]' is read only where"));
  EXPECT_THAT(applied("if (N > 3) C[i] = 1;"), HasSubstr("'C[i]' is memory"));
  EXPECT_THAT(applied("if (N > 3) n = 100 / N;"), HasSubstr("division"));
  EXPECT_THAT(applied("if (N > 3) v = 1; C[i] = v;"), HasSubstr("'v' may have no value yet"));
  EXPECT_THAT(applied("if (n++ > 3) s = 1;"), HasSubstr("side effect"));
  EXPECT_THAT(applied("if (n > 3) s = best++;"), HasSubstr("side effect"));
  EXPECT_THAT(applied("if (n > 3) { const float t = s; s = t; }"), HasSubstr("more than assign"));
  EXPECT_THAT(applied("if (n > 3) break;"), HasSubstr("'break'"));
  EXPECT_THAT(applied("if (n > 3) s = (best, 2);"), HasSubstr("two expressions"));
  EXPECT_THAT(applied("s += 1;"), HasSubstr("there is no branch"));
}

} // namespace
} // namespace agentic
