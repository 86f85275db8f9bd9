// What the dependence test proves, and what it must not prove.
#include "tests/source/transform_fixture.h"

#include "tool/source/moves/dependence.h"
#include "tool/source/moves/legality.h"
#include "tool/source/transform_parse.h"

namespace agentic::moves {
namespace {

using testing::HasSubstr;

std::unique_ptr<Nest> nestOf(const std::string &body, const std::string &more = "",
                             std::vector<AliasPair> mayAlias = {}) {
  KernelSpec spec = kernelSpec("void f(float *a, float *b, const unsigned *u, size_t n, size_t m, size_t k, int s" +
                               more + ") {\n" + body + "\n}");
  spec.contract.mayAlias = std::move(mayAlias);
  auto nest = parseLoopNest(spec, spec.text);
  EXPECT_TRUE(nest) << nest.error().message;
  return nest ? std::move(*nest) : nullptr;
}

/// Why the iterations of the loop `i` are not independent; "" if they are.
std::string serial(const std::string &body) {
  const auto nest = nestOf(body);
  return whyNotParallel(*nest, *nest->find("i"));
}

TEST(Dependence, IndependentIterations) {
  for (const std::string body : {
           "for (size_t i = 0; i < n; ++i) a[2 * i] = a[2 * i + 1];",
           "for (size_t i = 0; i < n; ++i) { a[3 * i + 2] = a[3 * i]; a[3 * i + 1] = 0; }",
           "for (size_t i = 1; i < n; ++i) a[4 * i - 3] = a[4 * i - 1];",
           "for (size_t i = 0; i < 50; ++i) a[i] = a[i + 50];",
           "for (size_t i = 0; i < n; ++i) a[i] = a[i + n];",
           "for (size_t i = 0; i < n; ++i) a[n - i] = a[n - i] * 2;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 1; j < m; ++j) a[i * m + j - 1] = a[i * m + j];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < i; ++j) a[i * n + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = i; j < n; ++j) a[i * n + j] += a[i * n + i];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) a[i * (m + 2) + j + 1] = a[i * (m + 2)];",
           "for (size_t z = 0; z < n; ++z) for (size_t i = 1; i < m - 1; ++i) for (size_t j = 1; j < k - 1; ++j) "
           "a[(z * m + i) * k + j] = a[(z * m + i) * k + j - 1] + a[(z * m + i) * k + j + 1];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) for (size_t p = 0; p < k; ++p) "
           "a[(i * m + j) * k + p] = a[(i * m + j) * k];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) a[i * m + (m - 1 - j)] = a[i * m + j];",
           "for (size_t i = 0; i < n; ++i) for (int j = -1; j < 2; ++j) a[i * 3 + j + 1] = 2;",
           "for (int i = -5; i < s; ++i) a[2 * i + 10] = a[2 * i + 11];",
           "for (size_t i = 0; i < n; ++i) { float t[4]; t[0] = b[i]; a[i] = t[0] * t[0]; }",
           "for (size_t i = 0; i < n; ++i) { float *row = a + i * m; for (size_t j = 0; j < m; ++j) row[j] = row[0]; }",
           "for (size_t p = 0; p < k; ++p) for (size_t i = 0; i < n; ++i) a[p * n + i] = a[p * n + i] + 1;",
       })
    EXPECT_EQ(serial(body), "") << body;
}

TEST(Dependence, WhatIsOrMayBeDependent) {
  for (const std::string body : {
           "for (size_t i = 0; i < n; ++i) a[2 * i] = a[2 * i + 2];",
           "for (size_t i = 0; i < n; ++i) a[2 * i] = a[3 * i];",
           "for (size_t i = 0; i < 51; ++i) a[i] = a[i + 50];",
           "for (size_t i = 0; i < n; ++i) a[i] = a[i + m];",
           "for (size_t i = 0; i <= n - 1; ++i) a[i] = a[i + 1];",
           "for (size_t i = 0; i < n; ++i) a[n - i] = a[i];",
           "for (size_t i = 0; i < n; ++i) a[i * m] = 1;", // m may be 0
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j <= m; ++j) a[i * m + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m + 1; ++j) a[i * m + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < k; ++j) a[i * m + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) a[i * m + j + 1] = a[i * m + j];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < m; ++j) a[i * m + j] = a[j * n + i];",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < n; ++j) a[i + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < i; ++j) a[i * m + j] = 1;",
           "for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < 3; ++j) a[i * 2 + j] = 2;",
           "for (size_t i = 0; i < n; ++i) for (int j = -1; j < 2; ++j) a[i * 2 + j + 1] = 2;",
           "for (size_t i = 0; i < n; ++i) a[i / 2] = 1;",
           "for (size_t i = 0; i < n; ++i) a[i * i] = 1;",
           "for (size_t i = 0; i < n; ++i) a[i % m] = 1;",
           "for (size_t i = 0; i < n; ++i) a[u[i]] = 1;",
           "for (unsigned i = 0; i < u[0]; ++i) a[i] = 1;",
           "for (unsigned i = 0; i < 4000000000u; ++i) a[i * 2] = 1;", // 2 * i wraps around
           "float t[4]; for (size_t i = 0; i < n; ++i) { t[0] = b[i]; a[i] = t[0]; }",
           "for (size_t i = 0; i < n; ++i) { const float *q = a + 1; a[i] = q[i]; }",
           "for (size_t i = 0; i < n; ++i) { const size_t at = u[i]; a[at] = 1; }",
       })
    EXPECT_NE(serial(body), "") << body;
}

/// Whether the two statements of the loop `i` may touch the same element, the first in an earlier, the second in a
/// later iteration.
bool touchLater(const std::string &body) {
  const auto nest = nestOf(body);
  const Loop &loop = *nest->find("i");
  const Effects first = effectsOf(*nest, {&loop.body[0], 1}, {&loop});
  const Effects second = effectsOf(*nest, {&loop.body[1], 1}, {&loop});
  return !whyMemoryDepends(*nest, first, second, {{&loop, &loop, Relation::Order::Before}}).empty();
}

TEST(Dependence, DirectionsAreTold) {
  EXPECT_TRUE(touchLater("for (size_t i = 0; i < n; ++i) { a[i] = 1; b[i] = a[i - 1]; }"));
  EXPECT_FALSE(touchLater("for (size_t i = 0; i < n; ++i) { a[i] = 1; b[i] = a[i + 1]; }"));
  EXPECT_FALSE(touchLater("for (size_t i = 0; i < n; ++i) { a[i] = 1; b[i] = a[i]; }"));
  EXPECT_TRUE(touchLater("for (size_t i = 0; i < n; ++i) { a[0] = 1; b[i] = a[0]; }"));
  EXPECT_FALSE(touchLater("for (size_t i = 0; i < n; ++i) { b[i] = u[0]; a[i] = u[0]; }")); // reads only
}

TEST(Dependence, DeclaredAliases) {
  const std::string copy = "for (size_t i = 0; i < n; ++i) a[i] = b[i];";
  EXPECT_EQ(whyNotParallel(*nestOf(copy), *nestOf(copy)->find("i")), "");
  for (const AliasPair &pair : {AliasPair{"a", "b"}, AliasPair{"b", "a"}}) {
    const auto nest = nestOf(copy, "", {pair});
    EXPECT_THAT(whyNotParallel(*nest, *nest->find("i")), HasSubstr("'b[i]' and 'a[i]' may be the same memory"));
  }
  const auto other = nestOf("for (size_t i = 0; i < n; ++i) a[i] = b[i];", "", {{"a", "u"}});
  EXPECT_EQ(whyNotParallel(*other, *other->find("i")), "");
  const auto reads = nestOf("for (size_t i = 0; i < n; ++i) a[i] = b[i] + u[i];", "", {{"b", "u"}});
  EXPECT_EQ(whyNotParallel(*reads, *reads->find("i")), "");
}

} // namespace
} // namespace agentic::moves
