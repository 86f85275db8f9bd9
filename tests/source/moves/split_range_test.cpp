#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::AllOf, testing::HasSubstr;

/// Returns iterations of x with `body`; M, K and N do not change.
std::string kernelWith(const std::string &body, const std::string &type = "size_t") {
  return "void f(const float *A, float *C, " + type + " M, " + type + " K, int N, unsigned U) {\n for (" + type +
         " x = 0; x < K; ++x) {\n" + body + "\n}\n}";
}

std::string applied(const std::string &kernel, const std::string &recipe = "split-range(x)") {
  return transformedBy(kernelSpec(kernel), recipe);
}

std::string refusal(const std::string &kernel, const std::string &loop = "x") {
  return refusalOf(kernelSpec(kernel), "split-range", loop);
}

TEST(SplitRange, Text) {
  EXPECT_EQ(applied(kernelWith("if (x >= 1 && M > 2 && x + 1 < K)\n C[x] = A[x - 1] + A[x + 1];")),
            R"(// Moves: split-range(x).
// The first and the last iterations of 'x' are apart: between them the
// conditions on 'x' hold anyway.
void f(const float *A, float *C, size_t M, size_t K, int N, unsigned U) {
  const size_t xInterior = K > 2 ? K - 2 : 0;
  // The interior: no condition on 'x' is needed.
  for (size_t x = 0; x < xInterior; ++x) {
    if (M > 2)
      C[x + 1] = A[(x + 1) - 1] + A[(x + 1) + 1];
  }
}
)");
}

TEST(SplitRange, BordersThatAreNamedOneByOne) {
  EXPECT_THAT(
      applied(kernelWith("if (x == 0 || M < 3 || x == K - 1) {\n C[x] = A[x];\n} else {\n const float sum = A[x - 1] + "
                         "A[x + 1];\n C[x] = sum;\n}")),
      HasSubstr("  const size_t xInterior = K > 2 ? K - 2 : 0;\n  const size_t xHead = K < 1 ? K : 1;\n"));
  EXPECT_THAT(
      applied(kernelWith("if (x == 0 || M < 3 || x == K - 1) {\n C[x] = A[x];\n} else {\n C[x] = A[x - 1];\n}")),
      HasSubstr("for (size_t x = 0; x < xInterior; ++x) {\n    if (M < 3) {\n"));
  EXPECT_THAT(applied(kernelWith("if (x != 2) C[x] = A[x]; else C[x] = 0;", "int")),
              HasSubstr("  for (int x = 0; x < xInterior; ++x) {\n    C[x + 3] = A[x + 3];\n"));
  EXPECT_THAT(applied(kernelWith("if (x < 1 || x > K - 2) C[x] = 0; else C[x] = A[x - 1];", "int")),
              HasSubstr("C[x + 1] = A[(x + 1) - 1];"));
}

// What never runs in the first and the last iterations is not written there.
TEST(SplitRange, BordersWithoutWhatNeverRunsThere) {
  const std::string head = "  for (size_t x = 0; x < xHead; ++x) {\n",
                    tail = "for (size_t x = xHead + xInterior; x < K; ++x) {\n";
  const auto onBorders = [&](const std::string &first, const std::string &last) {
    return AllOf(HasSubstr(head + first + "  }\n"), HasSubstr(tail + last + "  }\n"));
  };
  const std::string copied = "    C[x] = A[x];\n";
  EXPECT_THAT(applied(kernelWith("if (x == 0 || x == K - 1) C[x] = A[x]; else C[x] = A[x - 1] + A[x + 1];")),
              onBorders(copied, copied));
  EXPECT_THAT(applied(kernelWith("C[x] = x < 1 || x + 1 >= K ? A[x] : A[x - 1] + A[x + 1];")),
              onBorders("    C[x] = (A[x]);\n", "    C[x] = (A[x]);\n"));
  // Two iterations in front: in the second one x is not 0. Behind, x + 1 == K does not hold in both.
  EXPECT_THAT(
      applied(kernelWith("if (x == 0 || x < 2 || x + 2 >= K || x == K - 1) C[x] = A[x]; else C[x] = A[x - 2];")),
      onBorders(copied, "    if (x + 2 >= K || x == K - 1)\n      C[x] = A[x];\n    else\n      C[x] = A[x - 2];\n"));
  EXPECT_THAT(applied(kernelWith("if (x == 1 || x + 1 == K) C[x] = A[x]; else C[x] = A[x + 1];")),
              HasSubstr("if (x == 1 || x + 1 == K)\n      C[x] = A[x];")); // two iterations in front, and one of them
}

TEST(SplitRange, NothingStandsBehindAnInteriorThatReachesTheEnd) {
  for (const std::string condition : {"x == 0", "x == 0 || x >= K"})
    EXPECT_THAT(applied(kernelWith("if (" + condition + ") C[x] = A[x]; else C[x] = A[x - 1];")),
                HasSubstr("  for (size_t x = 0; x < xHead; ++x) {\n    C[x] = A[x];\n  }\n"
                          "  // The interior: no condition on 'x' is needed.\n"
                          "  for (size_t x = 0; x < xInterior; ++x) {\n    C[x + 1] = A[(x + 1) - 1];\n  }\n}\n"));
}

TEST(SplitRange, ABlockBehindAContinueStays) {
  EXPECT_THAT(applied(kernelWith("if (x == 0) { C[x] = 1; continue; }\n { const float v = A[x]; C[x] = v; }")),
              HasSubstr("{\n      C[x] = 1;\n      continue;\n    }\n    {\n"));
}

// The last iterations of an unsigned loop may be too few: then K - 2 wraps, and so may x + 2.
TEST(SplitRange, ComparisonsThatMayWrapBehindTheInteriorStay) {
  const std::string body = " C[x] = A[x]; else C[x] = 0;";
  EXPECT_THAT(applied(kernelWith("if (x < K - 2)" + body)), HasSubstr("x < K; ++x) {\n    if (x < K - 2)\n"));
  EXPECT_THAT(applied(kernelWith("if (x >= 1 && x < K - 2)" + body)), HasSubstr("x < K; ++x) {\n    C[x] = 0;\n  }\n"));
  EXPECT_THAT(applied(kernelWith("if (x + 2 < K)" + body, "unsigned")),
              HasSubstr("x < K; ++x) {\n    if (x + 2 < K)\n"));
  EXPECT_THAT(applied(kernelWith("if (x + 2 >= 2 && x + 3 < K)" + body, "unsigned")),
              HasSubstr("x < K; ++x) {\n    if (x + 2 >= 2 && x + 3 < K)\n"));
  EXPECT_THAT(applied(kernelWith("if (x + 2 < K)" + body, "int")), HasSubstr("x < K; ++x) {\n    C[x] = 0;\n  }\n"));
}

TEST(SplitRange, KeepsTheTextOfWhatIsNotUnderstood) {
  EXPECT_EQ(applied("void g(size_t);\nvoid f(float *C, size_t K) {\n  for (size_t x = 0; x < K; ++x) {\n    if (x == 0 "
                    "|| x + 1 == K) {\n"
                    "      C[x] = 0;\n      continue;\n    }\n    for (size_t i = x - 1; i <= x + 1; ++i)\n      "
                    "g(i);\n  }\n}\n"),
            R"(// Moves: split-range(x).
// The first and the last iterations of 'x' are apart: between them the
// conditions on 'x' hold anyway.
void g(size_t);
void f(float *C, size_t K) {
  const size_t xInterior = K > 2 ? K - 2 : 0;
  const size_t xHead = K < 1 ? K : 1;
  for (size_t x = 0; x < xHead; ++x) {
    C[x] = 0;
  }
  // The interior: no condition on 'x' is needed.
  for (size_t x = 1; x < 1 + xInterior; ++x) {
    ;
    for (size_t i = x - 1; i <= x + 1; ++i)
      g(i);
  }
  for (size_t x = xHead + xInterior; x < K; ++x) {
    C[x] = 0;
  }
}
)");
}

TEST(SplitRange, KeepsWhatItCannotProve) {
  const auto conditionOf = [](const std::string &condition, const std::string &type = "size_t") {
    return refusal(kernelWith("for (int j = 0; j < 3; ++j) if (" + condition + ") C[x] += A[x + j];", type));
  };
  const std::string unproved = "no condition in the loop compares 'x' with its ends";
  EXPECT_EQ(conditionOf("x + j <= K"), "offered");
  EXPECT_EQ(conditionOf("x * 2 < K"), unproved);
  EXPECT_EQ(conditionOf("K - x > 2"), unproved);
  // It may wrap around, and nothing keeps x away from there.
  EXPECT_EQ(conditionOf("x + j >= 1"), unproved);
  EXPECT_EQ(conditionOf("x + j >= 1", "int"), "offered");
  EXPECT_EQ(conditionOf("x < K + 1"), unproved);
  EXPECT_EQ(conditionOf("x - 2 <= K - 1"), unproved);
  EXPECT_EQ(conditionOf("static_cast<int>(x) + j < N"), unproved);
  EXPECT_EQ(conditionOf("x + U * 2 < K"), unproved);
  EXPECT_EQ(conditionOf("x + (j * U) < K"), unproved);
  EXPECT_EQ(conditionOf("x + M < K"), unproved);
  EXPECT_EQ(conditionOf("x > M"), "offered");
  EXPECT_EQ(conditionOf("x < A[0]"), unproved);
  EXPECT_EQ(conditionOf("x > 1000000"), unproved);
  EXPECT_EQ(conditionOf("static_cast<unsigned char>(x) < 7"), unproved);
}

TEST(SplitRange, ReadsLocalsAsTheyAre) {
  EXPECT_EQ(refusal(kernelWith("size_t y = x; y += M; if (y < K) C[x] = 1;")),
            "no condition in the loop compares 'x' with its ends");
  EXPECT_EQ(refusal(kernelWith("const unsigned char y = x + 1; if (y < K) C[x] = 1;")),
            "no condition in the loop compares 'x' with its ends");
  EXPECT_EQ(refusal(kernelWith("const size_t y = x + 1; if (y < K) C[x] = 1;")), "offered");
  // Unsigned arithmetic in fewer bits wraps before it is widened.
  EXPECT_EQ(refusal(kernelWith("for (unsigned j = 0; j < 3; ++j) if (x + (j - 1) < K) C[x] = 1;")),
            "no condition in the loop compares 'x' with its ends");
}

TEST(SplitRange, LeavesMacrosAlone) {
  const KernelSpec spec = kernelSpec(kernelWith("C[x] = CLAMP(x + 1); if (INSIDE(x)) C[x] = 2; if (x > 1) C[x] = 3;"),
                                     {"#define CLAMP(v) ((v) < 7 ? (v) : 0)", "#define INSIDE(v) !((v) < 1)"});
  const auto text = transformerFor(spec)->apply({{"split-range", "x", {}}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("C[x + 2] = CLAMP((x + 2) + 1);"));
  EXPECT_THAT(*text, HasSubstr("if (INSIDE(x + 2))"));
}

TEST(SplitRange, KeepsWhatConditionsDoBesides) {
  const auto with = [](const std::string &body) {
    return applied("void f(float *C, int K) { int k = 0; for (int x = 0; x < K; ++x) {\n" + body + "\n} }");
  };
  EXPECT_THAT(with("if (k++ > 3 || x >= 1) C[x] = k;"), HasSubstr("if (k++ > 3 || (x + 1) >= 1)"));
  EXPECT_THAT(with("if (k++ > 3 && x < 1) continue; C[x] = k;"), HasSubstr("if (k++ > 3 && (x + 1) < 1)"));
  EXPECT_THAT(with("if (k++ > 3 && x >= 1) C[x] = k;"), HasSubstr("if (k++ > 3)\n"));
}

TEST(SplitRange, RefusesWhatCannotBeCopied) {
  EXPECT_THAT(refusal(kernelWith("if (x >= 1) { { C[x] = 1; } C[x] += 2; }")), HasSubstr("ends with a block"));
  EXPECT_THAT(refusal(kernelWith("if (x + 1 < K) C[x] = 1; else break;")), HasSubstr("'break'"));
  EXPECT_THAT(refusal("void f(float *C, size_t K) { for (size_t x = 0; x < K * 2; ++x) if (x < 3) C[x] = 1; }"),
              HasSubstr("is no variable of its type"));
  EXPECT_THAT(refusal("void f(float *C, long K) { for (int x = 0; x < K; ++x) if (x < 3) C[x] = 1; }"),
              HasSubstr("no condition")); // an int cannot count to a long
  EXPECT_THAT(refusal("void f(float *C, int K, int L) { for (int x = L; x < K; ++x) if (x < 3) C[x] = 1; }"),
              HasSubstr("small constant"));
  EXPECT_THAT(refusal(kernelWith("if (x + 1 < K) C[x] = 1; for (size_t x = 0; x < M; ++x) C[x] = 2;")),
              HasSubstr("two variables are called 'x'"));
}

TEST(SplitRange, StatementsStayWhereTheyMay) {
  const std::string text =
      applied(kernelWith("if (x < 1 || x + 1 == K) continue;\n const float v = x >= 1 ? A[x] : 2.5;"
                         " C[x] = v;"));
  EXPECT_THAT(text, HasSubstr("  for (size_t x = 0; x < xInterior; ++x) {\n    ;\n"));
  EXPECT_THAT(text, HasSubstr("const float v = static_cast<double>(A[x + 1]);"));
}

} // namespace
} // namespace agentic
