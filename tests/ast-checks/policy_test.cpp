#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

/// Returns the message and the next step for a policy; "" if it is valid.
std::string complaint(const Policy &policy) {
  const Result<void> verified = verifyPolicy(policy);
  return verified ? "" : verified.error().message + " | " + verified.error().next;
}

std::string allowing(std::vector<std::string> PolicyRules::*list, const std::string &name) {
  Policy policy;
  (policy.allow.*list).push_back(name);
  return complaint(policy);
}

TEST(PolicyRules, NamesThatExistMayBeAllowed) {
  EXPECT_EQ(complaint({}), "");
  for (const char *name : {"const-casts", "forged-pointers", "addresses-as-numbers", "uninstantiated-code",
                           "unset-memory", "fixed-arrays", "unfenced-stores", "unknown-pragma-or-attribute"})
    EXPECT_EQ(allowing(&PolicyRules::checks, name), "");
  EXPECT_EQ(allowing(&PolicyRules::functions, "vendor::fast_exp"), "");
  EXPECT_EQ(allowing(&PolicyRules::functions, "cblas_*"), "");
  EXPECT_EQ(allowing(&PolicyRules::headers, "<vendor/math.h>"), "");
  EXPECT_EQ(allowing(&PolicyRules::attributes, "vendor::hint"), "");
  EXPECT_EQ(allowing(&PolicyRules::pragmas, "GCC diagnostic"), "");
}

TEST(PolicyRules, WhatMakesResultsWorthlessMayNot) {
  using testing::HasSubstr;
  for (const char *name : {"signature", "self-call", "state-outlives-call", "threads", "io-and-clocks", "allocation",
                           "inline-asm", "characters", "directives", "includes", "declarations-outside", "calls",
                           "attributes", "pragmas", "exceptions", "build-mode"})
    EXPECT_THAT(allowing(&PolicyRules::checks, name), HasSubstr("no policy can allow it")) << name;
  EXPECT_THAT(allowing(&PolicyRules::checks, "literal-shape"), HasSubstr("notes only"));
  EXPECT_THAT(allowing(&PolicyRules::checks, "const-cast"), HasSubstr("did you mean 'const-casts'?"));
  EXPECT_THAT(allowing(&PolicyRules::functions, "malloc"), HasSubstr("memory from the heap"));
  EXPECT_THAT(allowing(&PolicyRules::functions, "pthread_create"), HasSubstr("threads"));
  EXPECT_THAT(allowing(&PolicyRules::functions, "clock_gettime"), HasSubstr("clocks"));
  EXPECT_THAT(allowing(&PolicyRules::functions, "*"), HasSubstr("nearly everything"));
  EXPECT_THAT(allowing(&PolicyRules::headers, "vendor/math.h"), HasSubstr("brackets"));
  EXPECT_THAT(allowing(&PolicyRules::headers, "</proc/self/environ>"), HasSubstr("any file"));
  EXPECT_THAT(allowing(&PolicyRules::headers, "\"../../secret.h\""), HasSubstr("any file"));
  EXPECT_THAT(allowing(&PolicyRules::attributes, "constructor"), HasSubstr("no policy can allow it"));
  EXPECT_THAT(allowing(&PolicyRules::attributes, "gnu::pure"), HasSubstr("no policy can allow it"));
  EXPECT_THAT(allowing(&PolicyRules::attributes, "const*"), HasSubstr("no policy can allow it"));
  EXPECT_THAT(allowing(&PolicyRules::pragmas, "GCC optimize"), HasSubstr("no policy can allow it"));
  EXPECT_THAT(allowing(&PolicyRules::pragmas, "omp parallel"), HasSubstr("no policy can allow it"));
}

TEST(PolicyRules, OnlyNotesCanBeForbiddenAsChecks) {
  Policy policy;
  policy.forbid.checks = {"literal-shape"};
  EXPECT_EQ(complaint(policy), "");
  policy.forbid.checks = {"calls"};
  EXPECT_THAT(complaint(policy), testing::HasSubstr("refuses already"));
}

Unit vendor() {
  Unit unit;
  unit.mocks = "namespace vendor { float fast(float); float slow(float); }\nextern \"C\" void *malloc(unsigned long);";
  return unit;
}

TEST(PolicyRules, AllowedNamesAreLegal) {
  Unit unit = vendor();
  unit.policy.allow.functions = {"vendor::fast", "malloc"};
  unit.policy.allow.attributes = {"no_caller_saved_registers"};
  unit.policy.allow.pragmas = {"GCC diagnostic"};
  expectFindings(R"cpp(namespace {
#pragma GCC diagnostic ignored "-Wunused"
__attribute__((no_caller_saved_registers)) int hint() { return 1; }
float a(float x) { return vendor::fast(x); }
float b(float x) { return vendor::slow(x); }
void *c() { return malloc(4); }
}
)cpp",
                 {{"calls", 5}, {"allocation", 6}}, unit);
}

TEST(PolicyRules, ForbiddenNamesAreFindings) {
  Unit unit;
  unit.policy.forbid.functions = {"std::sqrt", "_mm_add*"};
  unit.policy.forbid.headers = {"<algorithm>"};
  unit.policy.forbid.attributes = {"flatten"};
  unit.policy.forbid.pragmas = {"unroll"};
  unit.mocks = "#include <immintrin.h>\n#include <cmath>";
  expectFindings(R"cpp(namespace {
__attribute__((flatten)) float a(float x) { return std::sqrt(x); }
__m128 b(__m128 x) { return _mm_add_ps(x, _mm_sub_ps(x, x)); }
void c(float *p) {
#pragma unroll
  for (int i = 0; i < 4; ++i) p[i] = 0;
}
}
)cpp",
                 {{"attributes", 2}, {"calls", 2}, {"calls", 3}, {"pragmas", 5}}, unit);
  expectFindings("#include <algorithm>\n", {{"includes", 1}}, unit);
}

TEST(PolicyRules, NothingInACandidateIsAPolicy) {
  expectFindings(R"cpp(// .agentic-kernel.json: {"allow": {"checks": ["const-casts"]}}
// NOLINT agentic-kernel: allow(const-casts)
namespace { float *a(const float *p) { return (float *)p; /* NOLINT(const-casts) */ } }
)cpp",
                 {{"const-casts", 3}});
}

} // namespace
} // namespace agentic::checks
