#include "tests/source/move_fixture.h"
#include "tool/source/moves/selection_network.h"

#include <bit>

namespace agentic {
namespace {

using testing::HasSubstr;

const std::string kLibrary = R"(
namespace std {
template <class T> void sort(T first, T last);
template <class T, class F> void sort(T first, T last, F order);
template <class T> void nth_element(T first, T nth, T last);
template <class T> void partial_sort(T first, T middle, T last);
template <class T> void swap(T &a, T &b);
template <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }
}
bool isBefore(int, int);
void use(int *);
)";

KernelSpec specOf(const std::string &body, const std::string &type = "int") {
  return kernelSpec("void f(const " + type + " *in, " + type +
                        " *out, size_t n, int k) {\n  for (size_t x = 0; x < n; ++x) {\n" + body + "\n  }\n}",
                    {kLibrary});
}
const std::string kFill = "int v[5];\nfor (int i = 0; i < 5; ++i)\n  v[i] = in[x + i];\n";
const std::string kInsertion =
    "for (int i = 1; i < 5; ++i) {\n  int t = v[i];\n  int j = i;\n  for (; j > 0 && v[j - 1] "
    "> t; --j)\n    v[j] = v[j - 1];\n  v[j] = t;\n}\n";
const std::string kRead = "out[x] = v[2];\n";

std::string verdictOn(const std::string &body) {
  return refusalOf(specOf(body), "sort-network", "x");
}
std::string networkOf(const std::string &body) {
  return transformedBy(specOf(body), "sort-network(x)");
}

TEST(SortNetwork, Text) {
  EXPECT_EQ(networkOf("int v[3];\nfor (int i = 0; i < 3; ++i)\n  v[i] = in[x + i];\nstd::sort(v, v + 3);\nout[x] = "
                      "v[1];"),
            R"(// Moves: sort-network(x).
// What is read of 'v' when it is sorted is computed by 4 minima and maxima,
// without branches: its values are only copied, compared with each other and
// exchanged, and of equal ones it does not matter which is taken.
void f(const int *in, int *out, size_t n, int k) {
  for (size_t x = 0; x < n; ++x) {

    const int v0 = in[x + 0];
    const int v1 = in[x + 1];
    const int v2 = in[x + 2];

    const int low1 = v0 < v2 ? v0 : v2;
    const int high2 = low1 < v1 ? v1 : low1;
    const int high3 = v0 < v2 ? v2 : v0;
    const int low4 = high2 < high3 ? high2 : high3;
    out[x] = low4;
  }
}
)");
}

/// A median of five takes seven comparators, of which some need one side alone.
TEST(SortNetwork, FormsOfTheSameSort) {
  const std::string best = "computed by 10 minima and maxima";
  const std::vector<std::string> forms = {
      kInsertion,
      "for (int i = 1; i < 5; ++i) {\n  const int t = v[i];\n  int j = i - 1;\n  while (j >= 0 && v[j] > t) {\n    v[j "
      "+ 1] = "
      "v[j];\n    --j;\n  }\n  v[j + 1] = t;\n}\n",
      "for (int i = 0; i < 5; ++i)\n  for (int j = i; j > 0; --j) {\n    if (v[j - 1] <= v[j])\n      break;\n    "
      "std::swap(v[j], v[j - 1]);\n  }\n",
      "for (int i = 0; i < 5; ++i)\n  for (int j = i + 1; j < 5; ++j)\n    if (v[j] < v[i]) {\n      int t = v[i];\n   "
      "   v[i] "
      "= v[j];\n      v[j] = t;\n    }\n",
      "for (int i = 0; i < 4; ++i)\n  for (int j = 0; j + 1 < 5 - i; ++j)\n    if (v[j] > v[j + 1])\n      "
      "std::swap(v[j], "
      "v[j + 1]);\n",
      "for (int i = 0; i < 3; ++i)\n  for (int j = i + 1; j < 5; ++j) {\n    const int low = std::min(v[i], v[j]);\n   "
      " v[j] = "
      "std::max(v[i], v[j]);\n    v[i] = low;\n  }\n",
      "for (int i = 1; i < 5; ++i) {\n  int t = v[i];\n  int j = i;\n  for (; j > 0 && v[j - 1] < t; --j)\n    v[j] = "
      "v[j - "
      "1];\n  v[j] = t;\n}\n",
      "std::sort(v, v + 5);\n",
      "std::nth_element(v, v + 2, v + 5);\n",
      "std::partial_sort(v, v + 3, v + 5);\n"};
  for (const std::string &form : forms) {
    const std::string text = networkOf(kFill + form + kRead);
    EXPECT_THAT(text, HasSubstr(best)) << form;
    EXPECT_THAT(text, testing::Not(HasSubstr("v["))) << form;
  }
  EXPECT_THAT(networkOf("int v[5] = {in[x], in[x + 1], in[x + 2], in[x + 3], k};\n" + kInsertion + kRead),
              HasSubstr(best));
}

TEST(SortNetwork, WhatIsAround) {
  EXPECT_THAT(
      networkOf("int v[4], m = 0, sum = 0;\nfor (int a = 0; a < 2; ++a)\n  for (int b = 0; b < 2; ++b) {\n    const "
                "int at = (k + a) * 3;\n    v[m++] = in[x + at + b];\n  }\nstd::sort(v, v + 4);\nfor (int i = 1; i < "
                "3; ++i)\n  sum += v[i];\nif (v[0] < k)\n  sum = 1;\nout[x] = sum;"),
      testing::AllOf(HasSubstr("const int at_2 = (k + 0) * 3;"), HasSubstr("const int v3 = in[x + at_5 + 1];"),
                     HasSubstr("int sum"), HasSubstr("sum += high"), HasSubstr("< k)")));
}

TEST(SortNetwork, Refusals) {
  EXPECT_EQ(verdictOn(kFill + kInsertion + kRead), "offered");
  EXPECT_EQ(verdictOn(kFill + "out[x] = v[2];"), "not mentioned");
  EXPECT_EQ(verdictOn(kFill + kInsertion), "nothing reads what is sorted");
  EXPECT_EQ(verdictOn("int v[5];\nfor (int i = 0; i < k; ++i)\n  v[i] = in[x + i];\n" + kInsertion + kRead),
            "the bounds of the loop 'i' are not constant");
  EXPECT_EQ(verdictOn(kFill + "std::sort(v, v + 5, isBefore);\n" + kRead),
            "the order of 'std::sort' is given by a function");
  EXPECT_EQ(verdictOn(kFill + "std::sort(v, v + 6);\n" + kRead), "'v + 6' is not understood");
  EXPECT_EQ(verdictOn(kFill + kInsertion + "out[x] = v[k];"), "the place of 'v[k]' is not known");
  EXPECT_THAT(verdictOn(kFill + kInsertion + "use(v);\n" + kRead), HasSubstr("is not understood"));
  EXPECT_THAT(verdictOn(kFill + "use(&v[1]);\n" + kInsertion + kRead), HasSubstr("is not understood"));
  EXPECT_EQ(verdictOn(kFill + "std::nth_element(v, v + 2, v + 5);\nout[x] = v[1];"),
            "'v[1]' is read, which has no value or one that depends on the order");
  // An insertion that stops one too early, and one that looks at others than its own element.
  EXPECT_THAT(verdictOn(kFill +
                        "for (int i = 1; i < 5; ++i) {\n  int t = v[i];\n  int j = i;\n  for (; j > 1 && v[j - 1] "
                        "> t; --j)\n    v[j] = v[j - 1];\n  v[j] = t;\n}\n" +
                        kRead),
              HasSubstr("it is no insertion sort"));
  EXPECT_THAT(verdictOn(kFill +
                        "for (int i = 2; i < 5; ++i) {\n  int t = v[i];\n  int j = i;\n  for (; j > 0 && v[j - 1] "
                        "> t; --j)\n    v[j] = v[j - 1];\n  v[j] = t;\n}\n" +
                        kRead),
              HasSubstr("it is no insertion sort"));
  // Equal values must not be lost: `==` decides something.
  EXPECT_THAT(verdictOn(kFill +
                        "for (int i = 1; i < 5; ++i)\n  for (int j = 0; j < i; ++j)\n    if (v[j] == v[i] || v[j] > "
                        "v[i])\n      v[j] = v[i];\n" +
                        kRead),
              testing::AnyOf(HasSubstr("compared by"), HasSubstr("does not just")));
  EXPECT_THAT(verdictOn(kFill + "for (int i = 0; i < 4; ++i)\n  if (v[i] > v[i + 1])\n    v[i] = v[i + 1];\n" + kRead),
              "offered"); // the smaller of both
  EXPECT_THAT(verdictOn(kFill + "for (int i = 0; i < 4; ++i)\n  if (v[i] > v[i + 1])\n    v[i] = v[0];\n" + kRead),
              testing::AnyOf("offered", HasSubstr("does not just put")));
}

TEST(SortNetwork, Floats) {
  KernelSpec spec =
      specOf("float v[3];\nfor (int i = 0; i < 3; ++i)\n  v[i] = in[x + i];\nstd::sort(v, v + 3);\nout[x] = "
             "v[1];",
             "float");
  EXPECT_THAT(refusalOf(spec, "sort-network", "x"), HasSubstr("AGENTIC_FP(finite)"));
  spec.contract.isFinite = true;
  EXPECT_EQ(refusalOf(spec, "sort-network", "x"), "offered");
  spec =
      specOf("float v[3];\nfor (int i = 0; i < 3; ++i)\n  v[i] = in[x + i] * 2;\nstd::sort(v, v + 3);\nout[x] = v[1];",
             "float");
  spec.contract.isFinite = true;
  EXPECT_THAT(refusalOf(spec, "sort-network", "x"), HasSubstr("may be a NaN"));
}

/// By the 0-1 principle, a network that is right for all inputs of 0 and 1 is right.
TEST(SelectionNetwork, GivesEveryRank) {
  for (int size = 2; size <= 13; ++size)
    for (int rank = -1; rank < size; ++rank) {
      std::vector<int> ranks;
      for (int i = 0; i < size; ++i)
        if (rank == -1 || i == rank)
          ranks.push_back(i);
      const moves::SelectionNetwork network = moves::selectionNetwork(size, ranks);
      for (unsigned bits = 0; bits < 1U << size; ++bits) {
        unsigned wires = bits;
        for (const moves::Comparator &comparator : network.comparators) {
          const unsigned low = wires >> comparator.low & 1, high = wires >> comparator.high & 1;
          wires &= ~(1U << comparator.low | 1U << comparator.high);
          wires |= (low & high) << comparator.low | (low | high) << comparator.high;
        }
        for (const int wanted : ranks)
          ASSERT_EQ(wires >> wanted & 1, wanted >= size - std::popcount(bits) ? 1U : 0U)
              << size << " values, rank " << wanted;
      }
    }
  EXPECT_EQ(moves::selectionNetwork(9, {4}).operations, 30);
}

/// All 2^25 inputs of 0 and 1, 64 at once.
TEST(SelectionNetwork, MedianOf25) {
  const moves::SelectionNetwork network = moves::selectionNetwork(25, {12});
  EXPECT_LE(network.operations, 2 * 99);
  constexpr std::uint64_t kLow[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                    0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  for (std::uint32_t high = 0; high < 1U << 19; ++high) {
    std::uint64_t wires[25];
    for (int i = 0; i < 25; ++i)
      wires[i] = i < 6 ? kLow[i] : (high >> (i - 6) & 1) != 0 ? ~std::uint64_t{0} : 0;
    for (const moves::Comparator &comparator : network.comparators) {
      const std::uint64_t low = wires[comparator.low], other = wires[comparator.high];
      wires[comparator.low] = low & other;
      wires[comparator.high] = low | other;
    }
    std::uint64_t expected = 0;
    for (int bits = 0; bits < 64; ++bits)
      expected |= std::uint64_t{std::popcount(high) + std::popcount(static_cast<unsigned>(bits)) >= 13} << bits;
    ASSERT_EQ(wires[12], expected) << high;
  }
}

} // namespace
} // namespace agentic
