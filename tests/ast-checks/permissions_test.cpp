#include "tests/ast-checks/expect_findings.h"

#include <gmock/gmock.h>

namespace agentic::checks {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kNumbers = "addresses-as-numbers", kForged = "forged-pointers";

/// `KERNEL(unsigned)(const u8 *p, size_t n) { … }` is the kernel of a baseline or of a candidate.
const std::string kTypes = R"cpp(using size_t = decltype(sizeof 0);
using uintptr_t = unsigned long;
#define AT(x) reinterpret_cast<uintptr_t>(x)
using u8 = unsigned char;
)cpp";

Unit baselineUnit() {
  Unit unit;
  unit.mocks = kTypes + "#define KERNEL(type) __attribute__((annotate(\"agentic_kernel\"))) type f";
  unit.kernelSymbol = "";
  unit.kernelFunction = "f";
  return unit;
}

Unit candidateUnit(const std::vector<Permission> &permissions) {
  Unit unit;
  unit.mocks = kTypes + "#define KERNEL(type) extern \"C\" type agentic_kernel_test";
  unit.addKernel = false;
  unit.kernelFunction = "f";
  unit.permissions = permissions;
  return unit;
}

/// The permissions of a baseline that has no finding.
std::vector<Permission> permissionsOf(const std::string &code) {
  const CheckOutcome outcome = outcomeOf(code, baselineUnit());
  for (const Finding &finding : outcome.findings)
    ADD_FAILURE() << code << ": " << finding.message << " [" << finding.check << "]";
  for (const Finding &error : outcome.errors)
    ADD_FAILURE() << code << ": " << error.message;
  return outcome.permissions;
}

std::vector<std::string> findingsOf(const std::string &code, const Unit &unit) {
  std::vector<std::string> checks;
  const CheckOutcome outcome = outcomeOf(code, unit);
  for (const Finding &error : outcome.errors)
    ADD_FAILURE() << code << ": " << error.message;
  for (const Finding &finding : outcome.findings)
    checks.push_back(finding.check);
  return checks;
}

/// The baseline has findings, so that nothing of it is permitted.
void expectNoPermission(const std::string &baseline) {
  EXPECT_THAT(findingsOf(baseline, baselineUnit()), Not(IsEmpty())) << baseline;
}

void expectPermitted(const std::string &baseline, const std::vector<std::string> &candidates) {
  const std::vector<Permission> permissions = permissionsOf(baseline);
  EXPECT_THAT(permissions, Not(IsEmpty())) << baseline;
  EXPECT_THAT(findingsOf(baseline, candidateUnit(permissions)), IsEmpty()) << "the baseline as a candidate";
  for (const std::string &candidate : candidates)
    EXPECT_THAT(findingsOf(candidate, candidateUnit(permissions)), IsEmpty()) << candidate;
}

void expectRefused(const std::string &baseline, const std::vector<std::string> &candidates) {
  const std::vector<Permission> permissions = permissionsOf(baseline);
  EXPECT_THAT(findingsOf(baseline, candidateUnit(permissions)), IsEmpty()) << "the baseline as a candidate";
  for (const std::string &candidate : candidates)
    EXPECT_THAT(findingsOf(candidate, candidateUnit(permissions)), Contains(AnyOf(kNumbers, kForged))) << candidate;
}

/// Aligns a pointer through an integer.
const std::string kAligns = R"cpp(KERNEL(unsigned)(const u8 *p, const u8 *q, size_t n) {
  const u8 *e = p + n, *a = reinterpret_cast<const u8 *>((reinterpret_cast<uintptr_t>(p) + 15) & ~uintptr_t(15));
  unsigned s = q[0];
  while (p < a && p < e) s += *p++;
  for (; e - p >= 4; p += 4) s += p[0] + p[3];
  while (p < e) s += *p++;
  return s;
})cpp";

/// Compares addresses of one array as numbers.
const std::string kCompares = R"cpp(KERNEL(unsigned)(const u8 *p, const u8 *q, size_t n) {
  const u8 *e = p + n;
  unsigned s = q[0];
  while (AT(p) + 4 <= AT(e)) { s += p[0] + p[3]; p += 4; }
  while (p < e) s += *p++;
  return s;
})cpp";

/// Keeps an address in a variable, rounds it there, and makes a pointer of it.
const std::string kKeeps = R"cpp(KERNEL(unsigned)(const u8 *p, u8 *q, size_t n) {
  uintptr_t u = AT(p);
  u = (u + 15) & ~uintptr_t(15);
  const u8 *a = reinterpret_cast<const u8 *>(u);
  unsigned s = q[0];
  while (p < a && n > 0) s += *p++, --n;
  return s;
})cpp";

std::string body(const std::string &text, const std::string &before = {}) {
  return before + "KERNEL(unsigned)(const u8 *p, const u8 *q, size_t n) { unsigned s = unsigned(n) + q[0]; " + text +
         " return s; }";
}

std::string keeping(const std::string &text, const std::string &before = {}) {
  return before + "KERNEL(unsigned)(const u8 *p, u8 *q, size_t n) { unsigned s = unsigned(n) + q[0]; " + text +
         " return s; }";
}

TEST(Permissions, ABaselinesOwnAddressesArePermissions) {
  const std::vector<Permission> permissions = permissionsOf(kAligns);
  ASSERT_THAT(permissions, SizeIs(2));
  EXPECT_EQ(permissions[0].check, kForged);
  EXPECT_EQ(permissions[1].check, kNumbers);
  EXPECT_EQ(permissions[0].form, permissions[1].form);
  EXPECT_EQ(permissions[0].text,
            "reinterpret_cast<const u8 *>((reinterpret_cast<uintptr_t>(p) + 15) & ~uintptr_t(15))");
  EXPECT_EQ(permissions[0].line, 2u);
  EXPECT_EQ(permissions[0].column, 29u);
}

TEST(Permissions, ACandidateThatUsesThemIsListed) {
  const std::string candidate = "\n" + kAligns;
  EXPECT_THAT(findingsOf(candidate, candidateUnit({})), ElementsAre(kForged, kNumbers));
  const CheckOutcome outcome = outcomeOf(candidate, candidateUnit(permissionsOf(kAligns)));
  ASSERT_THAT(outcome.permissions, SizeIs(2));
  EXPECT_EQ(outcome.permissions[0].line, 3u);
  EXPECT_THAT(outcome.permissionOffsets, SizeIs(2));
  EXPECT_THAT(outcomeOf(body("s += p[0];"), candidateUnit(permissionsOf(kAligns))).permissions, IsEmpty());
}

TEST(Permissions, TunedCodeKeepsThem) {
  expectPermitted(kAligns, {R"cpp(KERNEL(unsigned)(const u8 *first, const u8 *q, size_t n) {
  const u8 *e = first + n;
  const u8 *aligned = (const u8 *)(((uintptr_t)first + 0xf) & ~(uintptr_t)0xf);
  unsigned s = *q, t = 0;
  while (first < aligned && first < e) s += *first++;
  for (; e - first >= 16; first += 16) for (int i = 0; i < 16; i += 4) s += first[i], t += first[i + 3];
  while (first != e) s += *first++;
  return s + t;
})cpp",
                            body("\n#define UP (const u8 *)((AT(p) + 15) & ~uintptr_t(15))\ns += *UP;")});
  expectPermitted(kCompares, {R"cpp(KERNEL(unsigned)(const u8 *p, const u8 *q, size_t n) {
  const u8 *const e = p + n;
  unsigned s = *q;
  while (e - p >= 64) { for (int i = 0; i < 64; i += 4) s += p[i] + p[i + 3]; p += 64; }
  if (AT(p) + 4 <= AT(e)) do s += p[0] + p[3], p += 4; while (AT(p) + 4 <= AT(e));
  for (; p < e; ++p) s += *p;
  return s;
})cpp"});
  expectPermitted(kKeeps, {});
}

TEST(Permissions, LookAlikesOfAnAlignedPointerAreRefused) {
  const std::string up = "reinterpret_cast<const u8 *>((AT(p) + 15) & ~uintptr_t(15))",
                    number = "(AT(p) + 15) & ~uintptr_t(15)";
  ASSERT_THAT(findingsOf(body("s += *" + up + ";"), candidateUnit(permissionsOf(kAligns))), IsEmpty());
  expectRefused(
      kAligns,
      {
          // another variable, another type of it, another object behind it
          body("s += *reinterpret_cast<const u8 *>((AT(q) + 15) & ~uintptr_t(15));"),
          body("const u8 *r = p; s += *reinterpret_cast<const u8 *>((AT(r) + 15) & ~uintptr_t(15));"),
          body("{ const unsigned short *p = nullptr; s += *" + up + "; }"),
          body("{ const u8 *p = q; s += *" + up + "; }"),
          body("{ const uintptr_t p = 4096; s += *reinterpret_cast<const u8 *>((p + 15) & ~uintptr_t(15)); }"),
          body("p = q; s += *" + up + ";"),
          body("p = n > 9 ? p : q; s += *" + up + ";"),
          body("const u8 **r = &p; *r = q; s += *" + up + ";"),
          body("const u8 *&r = p; r = q; s += *" + up + ";"),
          body("(n ? p : q) = q; s += *" + up + ";"),
          body("auto set = [&] { p = q; }; set(); s += *" + up + ";"),
          body("auto set = [r = &p](const u8 *x) { *r = x; }; set(q); s += *" + up + ";"),
          body("*&p = q; s += *" + up + ";"),
          body("struct { const u8 *p; } k = {q}; s += *reinterpret_cast<const u8 *>((AT(k.p) + 15) & ~uintptr_t(15));"),
          body("const u8 *all[1] = {q}; { auto &[p] = all; s += *" + up + "; }"),
          body("const u8 *all[1] = {q}; for (const u8 *p : all) s += *" + up + ";"),
          "KERNEL(unsigned)(const u8 *q, const u8 *p, size_t n) { return *" + up + " + q[n]; }",
          // other numbers, another target
          body("s += *reinterpret_cast<const u8 *>((AT(p) + 15) & ~uintptr_t(31));"),
          body("s += *reinterpret_cast<const u8 *>((AT(p) + 16) & ~uintptr_t(15));"),
          body("s += *reinterpret_cast<const u8 *>((AT(p) + n) & ~uintptr_t(15));"),
          body("s += *reinterpret_cast<const unsigned short *>((AT(p) + 15) & ~uintptr_t(15));"),
          body("s += *(const __seg_fs u8 *)((AT(p) + 15) & ~uintptr_t(15));"),
          body("s += *reinterpret_cast<const u8 *>((unsigned(AT(p)) + 15) & ~uintptr_t(15));"),
          body("s += *reinterpret_cast<const u8 *>((n ? AT(p) + 15 : 4096) & ~uintptr_t(15));"),
          body("s += *reinterpret_cast<const u8 *>((AT(p) + 15) & ~uintptr_t(__builtin_constant_p(n) ? 15 : 31));"),
          // the number itself
          body("if ((" + number + ") == 0x7f1230) s = 0;"),
          body("uintptr_t a = " + number + "; if (a == 0x7f1230) s = 0;"),
          body("const uintptr_t a = " + number + "; s += *reinterpret_cast<const u8 *>(a);"),
          body("s += p[" + number + "];"),
          body("switch (" + number + ") { case 0x7f1230: s = 0; }"),
          body("s = unsigned(" + number + ");"),
          body("auto f = [a = " + number + "] { return a == 0x7f1230; }; s += f();"),
          body("uintptr_t a[1] = {" + number + "}; s += a[0] == 0x7f1230;"),
          body("struct { uintptr_t a; } k = {" + number + "}; s += k.a == 0x7f1230;"),
          body("s += key(" + number + ");", "namespace { unsigned key(uintptr_t x) { return x == 0x7f1230; } }\n"),
          // other functions
          body("s += *up(q);", "namespace { const u8 *up(const u8 *p) { return " + up + "; } }\n"),
          body("s += *up<u8>(q);", "namespace { template <class T> const T *up(const T *p) { return " + up + "; } }\n"),
          body("auto up = [p = q] { return " + up + "; }; s += *up();"),
          body("auto up = [p] { return " + up + "; }; s += *up();"),
          body("auto up = [](const u8 *p) { return " + up + "; }; s += *up(q);"),
          body("s += *({ const u8 *p = q; " + up + "; });"),
          body("struct S { static const u8 *up(const u8 *p) { return " + up + "; } }; s += *S::up(q);"),
          body("s += f(q, p, n);", "static unsigned f(const u8 *p, const u8 *, size_t) { return *" + up + "; }\n"),
          // what macros hide
          body("\n#define p q\ns += *" + up + ";"),
          body("\n#define uintptr_t long\ns += *" + up + ";"),
          body("\n#define UP 15 + 4096\ns += *reinterpret_cast<const u8 *>((AT(p) + UP) & ~uintptr_t(15));"),
      });
}

TEST(Permissions, LookAlikesOfAComparisonAreRefused) {
  ASSERT_THAT(
      findingsOf(body("const u8 *e = p + n; s += AT(p) + 4 <= AT(e);"), candidateUnit(permissionsOf(kCompares))),
      IsEmpty());
  expectRefused(kCompares,
                {
                    body("s += AT(p) + 4 <= AT(q);"),
                    body("const u8 *e = q; s += AT(p) + 4 <= AT(e);"),
                    body("const u8 *e = p + n; if (n > 9) e = q; s += AT(p) + 4 <= AT(e);"),
                    body("const u8 *e = p + n; p = q; s += AT(p) + 4 <= AT(e);"),
                    body("const u8 *const all[2] = {p, q}; const u8 *e = all[n & 1]; s += AT(p) + 4 <= AT(e);"),
                    body("const u8 *end = p + n; s += AT(p) + 4 <= AT(end);"),
                    body("const char *e = (const char *)p + n; s += AT(p) + 4 <= AT(e);"),
                    body("const uintptr_t e = 0x7f1230; s += AT(p) + 4 <= e;"),
                    body("const u8 *e = p + n; s += AT(p) + 8 <= AT(e);"),
                    body("const u8 *e = p + n; s += AT(p) + n <= AT(e);"),
                    body("const u8 *e = p + n; s += AT(p) + 4 < AT(e);"),
                    body("const u8 *e = p + n; s += AT(e) <= AT(p) + 4;"),
                    body("const u8 *e = p + n; uintptr_t x = AT(p) + 4, y = AT(e); s += x == 0x7f1230 || x <= y;"),
                    body("const u8 *e = nullptr; e += 0x7f1230; s += AT(p) + 4 <= AT(e);"),
                    body("const u8 *e = p + n; auto f = [&] { return AT(p) + 4 <= AT(e); }; s += f();"),
                });
}

TEST(Permissions, LookAlikesOfAKeptAddressAreRefused) {
  const std::string kept = "uintptr_t u = AT(p); u = (u + 15) & ~uintptr_t(15); ";
  ASSERT_THAT(
      findingsOf(keeping(kept + "s += *reinterpret_cast<const u8 *>(u);"), candidateUnit(permissionsOf(kKeeps))),
      IsEmpty());
  expectRefused(kKeeps,
                {
                    keeping(kept + "s += u == 0x7f1230;"),
                    keeping(kept + "s += (u & 0xff0) == 0x120;"),
                    keeping(kept + "s += u > n;"),
                    keeping(kept + "u += n; s += *reinterpret_cast<const u8 *>(u);"),
                    keeping(kept + "u = n; s += *reinterpret_cast<const u8 *>(u);"),
                    keeping(kept + "++u; s += *reinterpret_cast<const u8 *>(u);"),
                    keeping(kept + "const uintptr_t v = u; s += v == 0x7f1230;"),
                    keeping(kept + "uintptr_t v; v = u; s += v == 0x7f1230;"),
                    keeping(kept + "uintptr_t &v = u; s += v == 0x7f1230;"),
                    keeping(kept + "const uintptr_t &v = u + 0; s += v == 0x7f1230;"),
                    keeping(kept + "const uintptr_t *v = &u; s += *v == 0x7f1230;"),
                    keeping(kept + "uintptr_t v[2]; v[0] = u; s += v[0] == 0x7f1230;"),
                    keeping(kept + "const uintptr_t v = u ?: 1; s += v == 0x7f1230;"),
                    keeping(kept + "if (const uintptr_t v = u; v == 0x7f1230) s = 0;"),
                    keeping(kept + "s += (n ? u : 0) == 0x7f1230;"),
                    keeping(kept + "s += ({ u; }) == 0x7f1230;"),
                    keeping(kept + "auto f = [u] { return u == 0x7f1230; }; s += f();"),
                    keeping(kept + "auto f = [v = u] { return v == 0x7f1230; }; s += f();"),
                    keeping(kept + "auto f = [&] { return u == 0x7f1230; }; s += f();"),
                    keeping(kept + "s += unsigned(u);"),
                    keeping(kept + "q[0] = u8(u);"),
                    keeping(kept + "s += q[u];"),
                    keeping(kept + "switch (u) { case 0x7f1230: s = 0; }"),
                    keeping(kept + "s += (u = (u + 15) & ~uintptr_t(15)) == 0x7f1230;"),
                    keeping(kept + "s += ((void)0, u) == 0x7f1230;"),
                    keeping(kept + "s += key(u);", "namespace { bool key(uintptr_t x) { return x == 0x7f1230; } }\n"),
                    keeping("uintptr_t u = 0x7f1230; s += *reinterpret_cast<const u8 *>(u);"),
                    keeping("uintptr_t u = n; u = (u + 15) & ~uintptr_t(15); s += *reinterpret_cast<const u8 *>(u);"),
                    keeping("uintptr_t u = AT(q); u = (u + 15) & ~uintptr_t(15); "
                            "s += *reinterpret_cast<const u8 *>(u);"),
                    keeping("uintptr_t u = AT(p); s += *reinterpret_cast<const u8 *>(u);"),
                });
}

/// Where the number says more than where in one object it lies, the pointers must stay what they are.
TEST(Permissions, WhatTellsWhereAnObjectLiesIsExact) {
  const std::string low = body("if (AT(p) < 65536) return 0;");
  expectPermitted(low, {body("if (AT(p) < 65536) return 0; for (const u8 *x = p; x < p + n; ++x) s += *x;")});
  expectRefused(low, {body("if (AT(p) < 65536) return 0; ++p;"), body("while (AT(p) < 65536) ++p;"),
                      body("p += n; if (AT(p) < 65536) return 0;"), body("if (AT(p) < 65537) return 0;"),
                      body("for (;; ++p) if (AT(p) < 65536) return 0;"), body("if (AT(q) < 65536) return 0;")});
  expectNoPermission(body("while (AT(p) < 65536) ++p;"));

  const std::string apart = body("if (AT(p) - AT(q) >= n) s = 1;");
  expectPermitted(apart, {body("if (AT(p) - AT(q) >= n) for (size_t i = 0; i < n; ++i) s += p[i];")});
  expectRefused(apart, {body("if (AT(p) - AT(q) >= 64) s = 1;"), body("n = 64; if (AT(p) - AT(q) >= n) s = 1;"),
                        body("if (AT(p) - AT(q) >= n) s = 1; p += 64;"),
                        body("{ const size_t n = 64; if (AT(p) - AT(q) >= n) s = 1; }"),
                        body("uintptr_t d = AT(p) - AT(q); if (d >= n) s = 1;")});

  const std::string hash = body("const uintptr_t h = AT(p) >> 4; if (h < 4096) s = 1;");
  expectPermitted(hash, {});
  expectRefused(hash, {body("const uintptr_t h = AT(p) >> 4; if (h < 4097) s = 1;"),
                       body("const uintptr_t h = AT(p) >> 4; if ((h & 255) == 7) s = 1;"),
                       body("const uintptr_t h = AT(p) >> 4; if ((h & 255) == 0) s = 1;"),
                       body("uintptr_t h = AT(p) >> 4; h -= 4095; if (h < 4096) s = 1;")});
}

TEST(Permissions, DifferencesAndLowBitsOfOneObject) {
  expectPermitted(body("const size_t left = AT(p + n) - AT(p); s += unsigned(left);"), {});
  const std::string aligned = body("const u8 *a = (const u8 *)((AT(p) + 15) & ~uintptr_t(15)); "
                                   "const size_t head = size_t(a - p); if (head < n) s += p[head];");
  expectPermitted(aligned, {});
  const std::string low = body("if ((AT(p) & 15) == 8) s = 1;");
  expectPermitted(low, {body("for (; n > 0; --n, ++p) if ((AT(p) & 15) == 8) s += *p;")});
  expectRefused(low, {body("if ((AT(p) & 15) == 4) s = 1;"), body("if ((AT(p) & 4095) == 8) s = 1;"),
                      body("if ((AT(q) & 15) == 8) s = 1;")});
}

/// What reaches further than the expression itself, or rests on values that nobody set, stays a finding.
TEST(Permissions, OthersHaveNoForm) {
  expectNoPermission(body("s += *reinterpret_cast<const u8 *>(0x7f1230);"));
  expectNoPermission(body("s += *reinterpret_cast<const u8 *>(n);"));
  expectNoPermission(body("s += *reinterpret_cast<const u8 *>(AT(p) ^ AT(q));"));
  expectNoPermission(body("s += unsigned(AT(p) >> 4);"));
  expectNoPermission(body("s += p[AT(q) % 61];"));
  expectNoPermission(body("uintptr_t a[1] = {AT(p)}; s += a[0] == n;"));
  expectNoPermission(body("s += key(AT(p));", "namespace { bool key(uintptr_t x) { return x == 5; } }\n"));
  expectNoPermission(body("*const_cast<u8 *>(p) = 0;"));
  expectNoPermission(body("union { const u8 *at; uintptr_t bits; } u = {p}; s += u.bits == 5;"));
  expectNoPermission(body("unsigned t[4]; s += t[0];"));
}

const std::string kUp = "(const u8 *)((AT(p) + 15) & ~uintptr_t(15))",
                  kHelper = "static const u8 *up(const u8 *p, const u8 *e) { if (AT(p) + 4 > AT(e)) return e; return " +
                            kUp + "; }\n";

/// A function of the author's file does it: a candidate calls that, and has no such function of its own.
TEST(Permissions, WhatAHelperOfTheBaselineDoesMayBeCalled) {
  const std::string calls = body("s += *up(p, p + n);");
  Unit baseline = baselineUnit();
  baseline.allowedFunctions = {"up"};
  const CheckOutcome outcome = outcomeOf(kHelper + calls, baseline);
  EXPECT_THAT(outcome.findings, IsEmpty());
  ASSERT_THAT(outcome.permissions, SizeIs(3)) << "two addresses, compared; the pointer; one, rounded";
  for (const Permission &permission : outcome.permissions)
    EXPECT_EQ(permission.helper, "up");
  EXPECT_EQ(describe(outcome.permissions[1]), "line 1: '" + kUp + "' [forged-pointers], in 'up'");

  Unit candidate = candidateUnit(outcome.permissions);
  EXPECT_THAT(findingsOf(kHelper + calls, candidate), Contains(kForged)) << "a helper of the candidate's own";
  EXPECT_THAT(findingsOf(body("s += *" + kUp + ";"), candidate), Contains(kForged)) << "the kernel itself";
  candidate.mocks += "\n" + kHelper;
  candidate.allowedFunctions = {"up"};
  EXPECT_THAT(findingsOf(calls, candidate), IsEmpty());
}

/// What says where an object lies could be asked again and again, with other pointers.
TEST(Permissions, AHelperThatSaysWhereAnObjectLiesStaysAFinding) {
  for (const std::string &helper :
       std::vector<std::string>{"static bool low(const u8 *p) { return AT(p) < 65536; }\n",
                                "static bool low(const u8 *p) { const uintptr_t h = AT(p) >> 4; return h < 4096; }\n",
                                "static bool low(const u8 *p, const u8 *q) { return AT(p) - AT(q) >= 64; }\n",
                                "static uintptr_t low(const u8 *p) { return AT(p); }\n",
                                "static bool low(const u8 *p) { return [=] { return AT(p) + 4 < 64; }(); }\n"}) {
    Unit unit = baselineUnit();
    unit.allowedFunctions = {"low"};
    EXPECT_THAT(findingsOf(helper + body("s += low(p" + std::string(helper.find('q') < 40 ? ", q" : "") + ");"), unit),
                Not(IsEmpty()))
        << helper;
  }
}

TEST(Permissions, AnArrayAsLongAsThatOfTheBaselineMayBeIndexedUpToTheSameArgument) {
  const auto kernel = [](const std::string &array, const std::string &end) {
    return "KERNEL(unsigned)(const u8 *p, size_t n, size_t m) { unsigned " + array + " = {}; for (size_t k = 0; k < " +
           end + "; ++k) a[k] += p[k]; return a[0]; }";
  };
  const std::string baseline = kernel("a[25]", "n");
  expectPermitted(baseline, {kernel("a[25]", "n"), kernel("a[32]", "n")});
  const std::vector<Permission> permissions = permissionsOf(baseline);
  ASSERT_THAT(permissions, SizeIs(1));
  EXPECT_EQ(permissions[0].text, "a[k]");
  for (const std::string &candidate : {kernel("a[24]", "n"), kernel("a[25]", "m")})
    EXPECT_THAT(findingsOf(candidate, candidateUnit(permissions)), ElementsAre("fixed-arrays")) << candidate;
  EXPECT_THAT(findingsOf(baseline, candidateUnit({})), ElementsAre("fixed-arrays")) << "by itself it has none";
}

} // namespace
} // namespace agentic::checks
