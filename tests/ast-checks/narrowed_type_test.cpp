#include "tests/ast-checks/expect_findings.h"

#include <gtest/gtest.h>

namespace agentic::checks {
namespace {

const std::string kNarrowedType = "narrowed-type";

TEST(NarrowedType, NotesATypeThatTheCandidateDoesWithout) {
  Unit unit;
  unit.baseline = "float f(const float *p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }";
  expectNotes(
      "static float f(const float *p, int n) { float s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }\n",
      {{kNarrowedType, 1}}, unit);
  expectNotes("static float f(const float *p) { double s = 0; for (int i = 0; i < 4; ++i) s += p[i]; return s; }\n", {},
              unit);
  unit.baseline =
      "int f(const int *p, int n) { long long s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s % 7; }";
  expectNotes("static int f(const int *p) { int s = p[0]; return s % 7; }\n", {{kNarrowedType, 1}}, unit);
  unit.baseline = "double f(const double *p) { return p[0] * p[1]; }";
  expectNotes("static double f(const double *p) {\n  float x = float(p[0]);\n  return x * p[1];\n}\n",
              {{kNarrowedType, 2}}, unit);
}

TEST(NarrowedType, NotesHalfPrecisionInMacrosAndTemplates) {
  Unit unit;
  unit.baseline = "float f(const float *p) { return p[0]; }";
  unit.mocks = "#include <immintrin.h>";
  expectNotes(R"cpp(namespace {
template <class T> T sum(const T *p) {
  _Float16 x = 0;
  return p[0] + T(x);
}
float f(const float *p) { return sum(p); }
}
)cpp",
              {{kNarrowedType, 3}}, unit);
  expectNotes("namespace { float f(const float *p) { return p[0] + 1; } }\n", {}, unit);
}

TEST(NarrowedType, SaysNothingWithoutABaseline) {
  expectNotes("namespace { _Float16 f(_Float16 x) { return x + x; } }\n", {});
}

TEST(NarrowedType, APolicyCanRefuseIt) {
  Unit unit;
  unit.baseline = "float f() { double s = 0; return s; }";
  unit.policy.forbid.checks = {kNarrowedType};
  expectFindings("namespace { float f() { float s = 0; return s; } }\n", {{kNarrowedType, 1}}, unit);
}

} // namespace
} // namespace agentic::checks
