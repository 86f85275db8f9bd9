#include "tests/source/move_fixture.h"
#include "tool/source/moves/inline_math.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kExpDeclared =
    "namespace std { float exp(float); double exp(double); float tanh(float); float log(float); float erfc(float); "
    "float sqrt(float); } extern \"C\" float expf(float);";

KernelSpec specOf(const std::string &body,
                  std::optional<Tolerance> tolerance = Tolerance{Tolerance::Kind::Relative, 1e-5}) {
  KernelSpec spec =
      kernelSpec("void f(const float *a, float *out, const double *d, size_t n) {\n" + body + "\n}", {kExpDeclared});
  spec.contract.tolerance = tolerance;
  return spec;
}
std::string inlined(const std::string &body, const std::string &recipe = "inline-math(i)") {
  return transformedBy(specOf(body), recipe, {.hasTolerance = true});
}
std::string verdictOn(const KernelSpec &spec, bool hasTolerance = true) {
  return refusalOf(spec, "inline-math", "i", {.hasTolerance = hasTolerance});
}

const std::string kBody = "for (size_t i = 0; i < n; ++i)\nout[i] = std::exp(a[i] - 1);";

TEST(InlineMath, PutsAFunctionInFront) {
  const std::string text = inlined(kBody);
  EXPECT_THAT(text, HasSubstr("// In 'i', expApprox takes the place of exp: off by at most 1.1 units in"));
  EXPECT_THAT(text, HasSubstr("\nstatic inline float expApprox(float x) {\n"));
  EXPECT_THAT(text, HasSubstr("    out[i] = expApprox(a[i] - 1);\n}\n"));
}

TEST(InlineMath, EveryFormOfTheCall) {
  const std::string text = inlined("for (size_t i = 0; i < n; ++i) {\nfloat x = ::std::exp (expf((a[i])));\nif "
                                   "(__builtin_expf(x) > 2)\nx = (std::exp(x));\nout[i] = x;\n}");
  EXPECT_THAT(text, HasSubstr("float x = expApprox(expApprox((a[i])));"));
  EXPECT_THAT(text, HasSubstr("if (expApprox(x) > 2)"));
  EXPECT_THAT(text, HasSubstr("x = (expApprox(x));"));
}

TEST(InlineMath, TheFunctionIsThereOnce) {
  const std::string text = inlined(kBody + "\n" + kBody, "inline-math(i); inline-math(i#2)");
  EXPECT_EQ(text.find("float expApprox("), text.rfind("float expApprox("));
  EXPECT_THAT(text, Not(HasSubstr("std::exp(a")));
  EXPECT_THAT(inlined("const float expApprox = 1;\n" + kBody), HasSubstr("static inline float expApprox_2(float x)"));
}

TEST(InlineMath, NeedsAToleranceWithRoomForTheError) {
  EXPECT_EQ(verdictOn(specOf(kBody)), "offered");
  EXPECT_THAT(verdictOn(specOf(kBody), false), HasSubstr("declares no tolerance"));
  EXPECT_THAT(verdictOn(specOf(kBody, std::nullopt)), HasSubstr("declares no tolerance"));
  EXPECT_THAT(verdictOn(specOf(kBody, Tolerance{Tolerance::Kind::Relative, 1e-7})), HasSubstr("less than 4 times"));
  EXPECT_THAT(verdictOn(specOf(kBody, Tolerance{Tolerance::Kind::Ulp, 4})), HasSubstr("less than 4 times"));
  EXPECT_EQ(verdictOn(specOf(kBody, Tolerance{Tolerance::Kind::Ulp, 5})), "offered");
  EXPECT_EQ(verdictOn(specOf(kBody, Tolerance{Tolerance::Kind::Absolute, 1e-5})), "offered");
  EXPECT_THAT(verdictOn(specOf(kBody, Tolerance{Tolerance::Kind::Absolute, 1e-6})), HasSubstr("less than 32 times"));
}

TEST(InlineMath, EachFunctionHasItsReplacement) {
  for (const char *function : {"exp", "log", "tanh", "erfc", "sqrt"})
    EXPECT_THAT(inlined("for (size_t i = 0; i < n; ++i)\nout[i] = std::" + std::string(function) + "(a[i]);"),
                HasSubstr("out[i] = " + std::string(function) + "Approx(a[i]);"));
}

TEST(InlineMath, NoArgumentLeavesAPartOfAReplacementOut) {
  for (const moves::MathFunction &function : moves::mathFunctions())
    for (const char *choice : {"?", "if ", "&&", "||"})
      EXPECT_THAT(std::string(function.definition), Not(HasSubstr(choice))) << function.name;
}

TEST(InlineMath, RefusesFastMath) {
  KernelSpec spec = specOf(kBody);
  spec.parseArguments.push_back("-ffast-math");
  EXPECT_THAT(verdictOn(spec), HasSubstr("flags"));
  EXPECT_THAT(transformedBy(spec, "inline-math(i)", {.hasTolerance = true}), HasSubstr("flags"));
}

TEST(InlineMath, LeavesOtherCalls) {
  for (const char *body :
       {"for (size_t i = 0; i < n; ++i) out[i] = std::exp(d[i]);",
        "for (size_t i = 0; i < n; ++i) out[i] = TWICE(std::exp(a[i]));",
        "for (size_t i = 0; i < n; ++i) out[i] = WITHIN(a[i]);", "for (size_t i = 0; i < n; ++i) out[i] = exp(a[i]);",
        "for (size_t i = 0; i < n; ++i) out[i] = own::exp(a[i]);",
        "float y = std::exp(a[0]); for (size_t i = 0; i < n; ++i) out[i] = y;"}) {
    KernelSpec spec = specOf(body);
    spec.prelude.push_back("#define TWICE(x) ((x) + (x))\n#define WITHIN(x) std::exp((x) + 1)");
    spec.prelude.push_back("static inline float exp(float x) { return x + 1; }\n"
                           "namespace own { static inline float exp(float x) { return x + 2; } }");
    EXPECT_EQ(verdictOn(spec), "not mentioned") << body;
  }
}

} // namespace
} // namespace agentic
