// Variables that are declared in front of a loop, and live in its iterations alone.
#include "tests/source/transform_fixture.h"
#include "tool/source/nest/parse.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Returns the kernel's body as the moves get it.
std::string formOf(const std::string &body) {
  const auto nest =
      parseAuthorsLoopNest(kernelSpec(""), "void f(const float *a, float *c, int *g, size_t n) {\n" + body + "\n}\n");
  EXPECT_TRUE(nest) << nest.error().message;
  return nest ? (*nest)->text : "";
}

TEST(IterationVariables, AreDeclaredWhereEachIterationBegins) {
  EXPECT_THAT(formOf("float t, u;\nfor (size_t i = 0; i < n; ++i) {\n  t = a[i];\n  u = t * t;\n  c[i] = u + t;\n}"),
              HasSubstr("{\n\nfor (size_t i = 0; i < n; ++i) {\n  float t = a[i];\n  float u = t * t;\n"));
  EXPECT_THAT(
      formOf("const float *p;\nfor (size_t i = 0; i < n; ++i) {\n  p = a + i;\n  c[i] = *p;\n}\n"
             "for (size_t i = 0; i < n; ++i) {\n  p = a + 2 * i;\n  for (int j = 0; j < 3; ++j)\n    c[i] += p[j];\n}"),
      HasSubstr(
          "const float *p = a + i;\n  c[i] = *p;\n}\nfor (size_t i = 0; i < n; ++i) {\n  const float *p = a + 2"));
  EXPECT_THAT(formOf("float t = 3;\nfor (size_t i = 0; i < n; ++i) {\n  t = a[i];\n  t *= 2;\n  c[i] = t;\n}"),
              HasSubstr("float t = 3;\nfor (size_t i = 0; i < n; ++i) {\n  float t = a[i];\n  t *= 2;"));
}

TEST(IterationVariables, StayWhereTheyCarryAValue) {
  const auto stays = [](const std::string &in, const std::string &behind = "") {
    EXPECT_THAT(formOf("float t = 1;\nfor (size_t i = 0; i < n; ++i) {\n" + in + "\n}\n" + behind), HasSubstr(in))
        << in;
  };
  stays("c[i] = t;\n  t = a[i];");
  stays("t = t + a[i];\n  c[i] = t;");
  stays("t += a[i];\n  c[i] = t;");
  stays("if (a[i] > 2) t = a[i];\n  c[i] = t;");
  stays("t = a[i];\n  c[i] = t;", "c[0] = t;");
  stays("t = a[i];\n  c[i] = t;", "while (n-- > 4 && t > 0) { t = 2; }");
  stays("t = a[i];\n  float *p = &t;\n  c[i] = *p;");
  stays("switch (g[i]) { case 1: t = a[i]; c[i] = t; }");
  stays("again: t = a[i];\n  c[i] = t;");
  EXPECT_THAT(formOf("static float t;\nfor (size_t i = 0; i < n; ++i) {\n  t = a[i];\n  c[i] = t;\n}"),
              Not(HasSubstr("float t = a[i]")));
}

} // namespace
} // namespace agentic
