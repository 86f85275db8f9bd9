// Tests what the dependence test proves, and what it must not prove.
#include "tests/source/transform_fixture.h"

#include "tool/source/dependence/dependence.h"
#include "tool/source/dependence/legality.h"
#include "tool/source/nest/parse.h"

#include <map>
#include <random>

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

/// Returns why the iterations of the loop `i` are not independent; "" if they are.
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
           "const size_t rounds = m >= 3 ? m - 2 : 0; for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < rounds; "
           "++j) "
           "a[(i + 1) * m + (j + 1)] = 1;",
           "for (size_t i = 0; i < n; ++i) { const size_t rounds = (m - 1) >= 2 ? (m - 1) - 1 : 0; "
           "for (size_t j = 0; j < rounds; ++j) a[i * m + j + 1] = 1; }",
       })
    EXPECT_EQ(serial(body), "") << body;
}

TEST(Dependence, WhatIsOrMayBeDependent) {
  for (const std::string body : {
           // The bound is another number than what it is guarded with, the loop does not begin at 0, or the guard is
           // not
           // the bound's.
           "const size_t rounds = k >= 3 ? m - 2 : 0; for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < rounds; "
           "++j) "
           "a[(i + 1) * m + (j + 1)] = 1;",
           "const int rounds = s >= 3 ? s - 2 : 0; for (size_t i = 0; i < n; ++i) for (int j = -3; j < rounds; ++j) "
           "a[i * s + j + 3] = 1;",
           "const size_t rounds = m >= 3 ? m - 2 : k; for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < rounds; "
           "++j) "
           "a[i * m + j] = 1;",
           "size_t rounds = m >= 3 ? m - 2 : 0; rounds += k; for (size_t i = 0; i < n; ++i) for (size_t j = 0; j < "
           "rounds; "
           "++j) a[i * m + j] = 1;",
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

/// Returns whether the two statements of the loop `i` may touch the same element, the first in an earlier, the second
/// in a later iteration.
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

/// i and j with coefficients, some times K, as text and as a number.
struct Subscript {
  int i, j, iTimesK, jTimesK, k, constant;
  std::string text() const {
    const auto part = [](int factor, const std::string &what) {
      return factor == 0 ? "" : " + " + std::to_string(factor) + what;
    };
    return "100" + part(i, " * i") + part(j, " * j") + part(iTimesK, " * i * p") + part(jTimesK, " * j * p") +
           part(k, " * p") + part(constant, "");
  }
  int at(int iValue, int jValue, int kValue) const {
    return i * iValue + j * jValue + (iTimesK * iValue + jTimesK * jValue + k) * kValue + constant;
  }
};

struct Bounds {
  int lower, upper; ///< upper: 0: p, 1: q, 2: i (of the inner loop), else the number
  std::string header(const std::string &name) const {
    const std::string bound = upper == 0 ? "p" : upper == 1 ? "q" : upper == 2 ? "i" : std::to_string(upper);
    return "for (int " + name + " = " + std::to_string(lower) + "; " + name + " < " + bound + "; ++" + name + ") ";
  }
  int end(int n, int m, int i) const { return upper == 0 ? n : upper == 1 ? m : upper == 2 ? i : upper; }
};

/// Returns whether two iterations of `i` touch one element, for n and m up to 5.
bool conflicts(const Bounds &outer, const Bounds &inner, const Subscript &write, const Subscript &read) {
  for (int n = -1; n <= 5; ++n)
    for (int m = -1; m <= 5; ++m) {
      std::map<int, int> writers;
      std::vector<std::pair<int, int>> touched; // element, iteration
      for (int i = outer.lower; i < outer.end(n, m, 0); ++i)
        for (int j = inner.lower; j < inner.end(n, m, i); ++j) {
          const auto [found, isNew] = writers.try_emplace(write.at(i, j, n), i);
          if (!isNew && found->second != i)
            return true;
          touched.emplace_back(read.at(i, j, n), i);
        }
      for (const auto &[element, iteration] : touched)
        if (const auto found = writers.find(element); found != writers.end() && found->second != iteration)
          return true;
    }
  return false;
}

TEST(Dependence, RandomSubscriptsAgainstAllIterations) {
  std::mt19937 random(3);
  const auto number = [&](int from, int to) { return from + static_cast<int>(random() % unsigned(to - from + 1)); };
  const auto subscript = [&] {
    const bool isRow = number(0, 2) > 0; // i * n + j, mostly
    return Subscript{isRow ? number(0, 3) / 3 : number(0, 3),
                     isRow ? 1 : number(-2, 2),
                     isRow ? 1 : number(0, 4) / 4,
                     number(0, 7) / 7,
                     number(-1, 4) / 2,
                     number(-2, 2)};
  };
  int proved = 0, independent = 0;
  for (int round = 0; round < 300; ++round) {
    const Bounds outer{number(-1, 1), number(0, 3) == 0 ? number(3, 6) : number(0, 1)};
    const Bounds inner{number(0, 5) ? 0 : number(-1, 1),
                       number(0, 3) == 0 ? number(3, 6) : number(0, 2) / 2 * number(1, 2)};
    const Subscript write = subscript(), read = number(0, 2) ? write : subscript();
    Subscript moved = read;
    moved.constant += number(-1, 1);
    moved.k += number(0, 5) / 5;
    const std::string body =
        outer.header("i") + inner.header("j") + "a[" + write.text() + "] = a[" + moved.text() + "];";
    const auto nest = nestOf(body, ", int p, int q");
    const bool isProved = whyNotParallel(*nest, *nest->find("i")).empty(),
               depends = conflicts(outer, inner, write, moved);
    EXPECT_FALSE(isProved && depends) << body;
    proved += isProved;
    independent += !depends;
  }
  EXPECT_GE(proved, 30);
  std::printf("%d proved of %d that are independent for small sizes\n", proved, independent);
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
