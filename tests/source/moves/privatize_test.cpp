#include "tests/source/reduction_fixture.h"

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kHistogram = R"(void f(const unsigned char *data, size_t n, unsigned *counts) {
  for (size_t i = 0; i < n; ++i)
    ++counts[data[i]];
})";

Freedom withExtent(const std::string &text, Direction direction = Direction::Out) {
  Freedom freedom;
  freedom.contract.extents.push_back({"counts", direction, text});
  return freedom;
}

std::string verdictOn(const std::string &body, const std::string &table = "unsigned h[64] = {};") {
  return verdict("int f(const int *d, const int *e, int *p, size_t n) {\n" + table +
                     " int k = 0; for (size_t i = 0; i < n; ++i) {" + body + "}\n return h[0] + k; }",
                 "privatize", "i");
}

TEST(Privatize, Text) {
  EXPECT_EQ(textOf(kHistogram, "privatize(i, copies=8)", withExtent("256")),
            R"(// Moves: privatize(i, copies=8).
// Neighbouring iterations of 'i' count in copies of 'counts', which are added
// up at the end; sums of integers do not depend on their order, and the loop
// does nothing else with what it counts. That no element beyond the last one is
// counted is what the contract says of the table's extent.
void f(const unsigned char *data, size_t n, unsigned *counts) {
  {
    constexpr size_t kCopiesI = 8; // tables side by side
    const size_t iEnd = n - n % kCopiesI;
    unsigned int countsCopy[256][kCopiesI] = {};
    for (size_t i0 = 0; i0 < iEnd; i0 += kCopiesI)
      for (size_t ii = 0; ii < kCopiesI; ++ii) {
        const size_t i = i0 + ii;
        ++countsCopy[data[i]][ii];
      }
    for (int element = 0; element < 256; ++element) {
      unsigned int total = 0;
      for (size_t ii = 0; ii < kCopiesI; ++ii)
        total += countsCopy[element][ii];
      counts[element] += total;
    }
    // The rest, when there is no whole block left.
    for (size_t i = iEnd; i < n; ++i)
      ++counts[data[i]];
  }
}
)");
}

TEST(Privatize, NeedsAKnownExtent) {
  EXPECT_THAT(verdict(kHistogram, "privatize", "i"), HasSubstr("AGENTIC_OUT(counts, 256)"));
  EXPECT_THAT(verdict(kHistogram, "privatize", "i", withExtent("n")), HasSubstr("how many elements 'counts' has"));
  EXPECT_THAT(verdict(kHistogram, "privatize", "i", withExtent("256", Direction::In)), HasSubstr("how many elements"));
  EXPECT_THAT(verdict(kHistogram, "privatize", "i", withExtent("65536")), HasSubstr("too many to copy"));
  EXPECT_EQ(verdict(kHistogram, "privatize", "i", withExtent("256", Direction::InOut)), "offered");
  Freedom overlapping = withExtent("256");
  overlapping.contract.mayAlias.push_back({"data", "counts"});
  EXPECT_THAT(verdict(kHistogram, "privatize", "i", overlapping), HasSubstr("may overlap"));
}

TEST(Privatize, AcceptsWhatOnlyCounts) {
  for (const char *body :
       {"++h[d[i] & 63];", "h[d[i] & 63]--;", "h[d[i]] += e[i]; h[e[i]] -= 3;",
        "if (d[i] > 3) ++h[d[i]]; else h[0 * d[i]] += 2;", "const int x = d[i]; h[x] = h[x] + e[x];"})
    EXPECT_EQ(verdictOn(body), "offered") << body;
}

TEST(Privatize, RefusesWhatUsesTheTableOtherwise) {
  EXPECT_THAT(verdictOn("++h[d[i]]; k += h[3];"), HasSubstr("used for more than to count"));
  EXPECT_THAT(verdictOn("h[d[i]] += h[0];"), HasSubstr("is read to find"));
  EXPECT_THAT(verdictOn("++h[h[d[i] & 63]];"), testing::Not("offered"));
  EXPECT_THAT(verdictOn("++h[d[i]]; h[d[i]] *= 2;"), HasSubstr("sums of integers"));
  EXPECT_THAT(verdictOn("h[d[i]] = i;"), HasSubstr("no table"));
  EXPECT_THAT(verdictOn("++h[d[i]]; p[e[i]] = h[0] + 1;"), HasSubstr("used for more"));
  EXPECT_THAT(verdictOn("++h[d[i]];", "float h[64] = {};"), HasSubstr("sums of integers"));
  EXPECT_THAT(verdictOn("++h[d[i]];", "static unsigned h[64];"), testing::Not("offered"));
  EXPECT_THAT(verdictOn("++h[d[i]]; ++*q;", "unsigned h[64] = {}; unsigned *q = h;"), testing::Not("offered"));
  EXPECT_THAT(verdictOn("++h[d[i]]; if (h[d[i]] > 5) break;"), HasSubstr("'break'"));
  EXPECT_THAT(verdictOn("++h[d[i]]; k ^= shared;"), HasSubstr("uses the global 'shared'"));
  EXPECT_THAT(verdictOn("++h[i];"), HasSubstr("no two iterations meet"));
  EXPECT_THAT(verdictOn("++h[d[i]];", "int *h = p;"), HasSubstr("neither a local array"));
}

TEST(Privatize, SixteenBitsAreForCountsOneByOne) {
  EXPECT_THAT(textOf(kHistogram, "privatize(i, bits=16, copies=4)", withExtent("256")),
              HasSubstr("unsigned short countsCopy[256][kCopiesI] = {};"));
  const auto on = [](const std::string &body, const std::string &header) {
    return textOf("unsigned f(const int *d, int m) { unsigned h[64] = {};\n" + header + " {" + body +
                      "} return h[0]; }",
                  "privatize(i, bits=16, copies=4)");
  };
  const std::string plain = "for (int i = 0; i < m; ++i)";
  EXPECT_THAT(on("++h[d[i]];", plain), HasSubstr("65535 * kCopiesI"));
  EXPECT_THAT(on("++h[d[i]]; h[d[i + 1]]++;", plain), HasSubstr("32767 * kCopiesI"));
  EXPECT_THAT(on("h[d[i]] += 2;", plain), HasSubstr("counted one by one"));
  EXPECT_THAT(on("--h[d[i]];", plain), HasSubstr("counted one by one"));
  EXPECT_THAT(on("++h[d[i]];", "for (int i = -9; i < m; ++i)"), HasSubstr("not negative"));
}

TEST(Privatize, RecipesFromFilesAreChecked) {
  EXPECT_THAT(textOf(kHistogram, "privatize(i, copies=8)"), HasSubstr("error: "));
  EXPECT_THAT(textOf(kHistogram, "privatize(i, copies=99)", withExtent("256")), HasSubstr("'copies' must be"));
}

} // namespace
} // namespace agentic
