#include "tests/source/move_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHead = "void f(const float *a, int *out, size_t n, int most) {\n";

/// Returns the body around an inner loop, with `column`'s number in x and a count in c.
std::string kernelWith(const std::string &inner, const std::string &after = "out[i] = c;") {
  return kHead + "for (size_t i = 0; i < n; ++i) {\n float x = a[i];\n float y = 0;\n int c = 0;\n unsigned u = 1;\n" +
         inner + "\n" + after + "\n}\n}";
}

std::string applied(const std::string &kernel, const std::string &recipe = "mask-exit(i, lanes=16)") {
  return transformedBy(kernelSpec(kernel), recipe);
}

/// Returns why the move is not offered for 'i'; "offered" if it is.
std::string refusal(const std::string &kernel, const std::string &loop = "i") {
  return refusalOf(kernelSpec(kernel), "mask-exit", loop);
}

TEST(MaskExit, Text) {
  EXPECT_EQ(applied(kernelWith("for (; c < most; ++c) {\n if (x > 4.0f)\n break;\n y = x + y;\n x = x * y;\n}")),
            R"(// Moves: mask-exit(i, lanes=16).
// Iterations of 'i' are independent: 16 run side by side until the last of them
// leaves its inner loop. One that has left counts and sums no more; what else
// it computes is dropped and cannot trap.
void f(const float *a, int *out, size_t n, int most) {
  {
    constexpr size_t kLanesI = 16; // iterations of 'i' side by side
    const size_t iEnd = n - n % kLanesI;
    for (size_t i0 = 0; i0 < iEnd; i0 += kLanesI) {
      float xLanes[kLanesI];
      float yLanes[kLanesI];
      int cLanes[kLanesI];
      int activeLanes[kLanesI]; // 1 until the lane leaves its loop
      for (size_t lane = 0; lane < kLanesI; ++lane) {
        const size_t i = i0 + lane;
        float x = a[i];
        float y = 0;
        int c = 0;
        unsigned u = 1;
        xLanes[lane] = x;
        yLanes[lane] = y;
        cLanes[lane] = c;
        activeLanes[lane] = 1;
      }
      int anyActive;
      do {
        anyActive = 0;
        for (size_t lane = 0; lane < kLanesI; ++lane) {
          float x = xLanes[lane];
          float y = yLanes[lane];
          int c = cLanes[lane];
          int isActive = activeLanes[lane];
          isActive &= (c < most);
          isActive &= !(x > 4.0f);
          y = x + y;
          x = x * y;
          c += isActive;
          xLanes[lane] = x;
          yLanes[lane] = y;
          cLanes[lane] = c;
          activeLanes[lane] = isActive;
          anyActive |= isActive;
        }
      } while (anyActive != 0);
      for (size_t lane = 0; lane < kLanesI; ++lane) {
        const size_t i = i0 + lane;
        int c = cLanes[lane];
        out[i] = c;
      }
    }
    // The rest, when n is no multiple of kLanesI.
    for (size_t i = iEnd; i < n; ++i) {
      float x = a[i];
      float y = 0;
      int c = 0;
      unsigned u = 1;
      for (; c < most; ++c) {
        if (x > 4.0f)
          break;
        y = x + y;
        x = x * y;
      }
      out[i] = c;
    }
  }
}
)");
}

TEST(MaskExit, ConditionsHaveNoBranches) {
  EXPECT_THAT(applied(kernelWith("while (c < most && (x < 4 || u)) { if (!(x > 1 && c) && y < 2) break; ++c; }")),
              AllOf(HasSubstr("isActive &= (c < most);"), HasSubstr("isActive &= ((x < 4) | ((u) != 0));"),
                    HasSubstr("isActive &= !(!((x > 1) & ((c) != 0)) & (y < 2));")));
}

TEST(MaskExit, LeavesMacrosAlone) {
  const KernelSpec spec = kernelSpec(kernelWith("while (NOT_MORE(c)) { x = x * x; ++c; if (x > 4) break; }"),
                                     {"#define NOT_MORE(v) (!((v) >= most))"});
  const auto text = transformerFor(spec)->apply({{"mask-exit", "i", {{"lanes", 16}}}});
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_THAT(*text, HasSubstr("isActive &= (NOT_MORE(c));"));
  const KernelSpec other =
      kernelSpec(kernelWith("while (c < most) { ++c; x = TWICE(x); }"), {"#define TWICE(v) (v + v)"});
  EXPECT_FALSE(transformerFor(other)->apply({{"mask-exit", "i", {{"lanes", 16}}}}));
}

TEST(MaskExit, Applies) {
  EXPECT_EQ(refusal(kernelWith("while (c < most && x < 4) { x = x * x + 1; ++c; }")), "offered");
  EXPECT_EQ(refusal(kernelWith("for (int k = 0; k < most; ++k) { if (x > 4) { c = k; break; } x += 1; }")), "offered");
  EXPECT_EQ(refusal(kernelWith("while (x < 4 || u < 9) { x = x * x + 1; u *= 3; if (u & 1) y += 1; else y -= x; }",
                               "out[i] = c + static_cast<int>(y);")),
            "offered");
}

TEST(MaskExit, BlocksStayWhole) {
  EXPECT_THAT(refusal(kernelWith("{ out[i] = 1; while (c < most && x < 4) { x += 1; ++c; }", "out[i] = c; } c = 0;")),
              HasSubstr("a block begins or ends"));
}

TEST(MaskExit, RefusesFunctionsThatOnlyHaveTheNameOfALibrarys) {
  const std::string kernel = kernelWith("while (c < most && x < 4) { x = fminf(x + 1, 9.0f); ++c; }");
  EXPECT_THAT(refusal("static float fminf(float a, float b) { return 1 / static_cast<int>(a - b); }\n" + kernel),
              HasSubstr("in a lane that is done"));
}

TEST(MaskExit, Refuses) {
  const auto inLoop = [](const std::string &statement) {
    return refusal(kernelWith("while (c < most && x < 4) { x += 1; " + statement + " }"));
  };
  EXPECT_THAT(inLoop("x += a[c];"), HasSubstr("'a[c]' would be read for lanes that are done"));
  EXPECT_THAT(inLoop("c = 100 / c;"), HasSubstr("integer division"));
  EXPECT_THAT(inLoop("c = c * 3;"), HasSubstr("overflow"));
  EXPECT_THAT(inLoop("c *= 3;"), HasSubstr("overflow"));
  EXPECT_THAT(inLoop("c = static_cast<int>(x);"), HasSubstr("conversion"));
  EXPECT_THAT(inLoop("c = x;"), HasSubstr("conversion"));
  EXPECT_THAT(inLoop("u <<= c;"), HasSubstr("trap"));
  EXPECT_THAT(inLoop("u = u << c;"), HasSubstr("shift"));
  EXPECT_THAT(inLoop("out[c] = 1;"), HasSubstr("writes memory"));
  EXPECT_THAT(inLoop("if (x > 3) continue; ++c;"), HasSubstr("'continue'"));
  EXPECT_THAT(inLoop("if (x > 3) return; ++c;"), HasSubstr("'return'"));
  EXPECT_THAT(inLoop("if (x > 3) { if (y > 1) break; y += 1; }"), HasSubstr("'break'"));
  EXPECT_THAT(inLoop("most = 3;"), HasSubstr("'most' carries a value"));
  EXPECT_THAT(inLoop("float y = x; x = y;"), HasSubstr("declares another 'y'"));
  EXPECT_THAT(inLoop("float z; (z) = x; x = z;"), HasSubstr("without a value"));
}

} // namespace
} // namespace agentic
