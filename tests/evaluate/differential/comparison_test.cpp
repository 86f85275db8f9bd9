#include "tool/evaluate/differential/comparison.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace agentic {
namespace {

using Element = GlueParameter::Element;

template <class T> std::vector<std::byte> paddedBytesOf(const std::vector<T> &values) {
  std::vector<std::byte> bytes((values.size() * sizeof(T) + 7) / 8 * 8);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}

template <class T>
std::vector<Difference> compare(const std::vector<T> &expected, const std::vector<T> &actual,
                                const Exactness &exactness, Element element = Element::Floating) {
  const OutputField field{
      .name = "C", .element = element, .elementSize = sizeof(T), .bytes = expected.size() * sizeof(T)};
  return compareOutputs(std::span(&field, 1), paddedBytesOf(expected), paddedBytesOf(actual), exactness);
}

const Exactness kBits{Exactness::Kind::Bits, {}};
const Exactness kReassociate{Exactness::Kind::Reassociate, {}}, kStrict{Exactness::Kind::Strict, {}};
Exactness declared(Tolerance::Kind kind, double value) {
  return {Exactness::Kind::Declared, {kind, value}};
}
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST(Comparison, CountsWhatDiffersAndNamesTheFirst) {
  const auto differences = compare<std::int32_t>({1, 2, 3, 4}, {1, 5, 3, 6}, kReassociate, Element::Signed);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].index, 1u);
  EXPECT_EQ(differences[0].count, 2u);
  EXPECT_EQ(differences[0].text(), "2 of 4 elements of 'C' differ (the first at index 1)");
  EXPECT_EQ(differingElements(differences), 2u);
}

TEST(Comparison, AbsoluteToleranceHoldsForEachElement) {
  const Exactness exactness = declared(Tolerance::Kind::Absolute, 0.01);
  EXPECT_TRUE(compare<float>({1, 100}, {1.009f, 99.991f}, exactness).empty());
  EXPECT_EQ(compare<float>({1, 100}, {1.011f, 100}, exactness).at(0).count, 1u);
}

TEST(Comparison, RelativeToleranceIsOfTheExpectedValue) {
  const Exactness exactness = declared(Tolerance::Kind::Relative, 1e-3);
  EXPECT_TRUE(compare<double>({1000, -2}, {1000.9, -2.001}, exactness).empty());
  EXPECT_FALSE(compare<double>({0}, {1e-9}, exactness).empty());
  EXPECT_FALSE(compare<double>({-2}, {2}, exactness).empty());
}

TEST(Comparison, UlpsAreThoseOfTheType) {
  const float next = std::nextafter(1.5f, 2.0f), third = std::nextafter(std::nextafter(next, 2.0f), 2.0f);
  EXPECT_TRUE(compare<float>({1.5f}, {next}, declared(Tolerance::Kind::Ulp, 1)).empty());
  EXPECT_FALSE(compare<float>({1.5f}, {third}, declared(Tolerance::Kind::Ulp, 2)).empty());
  EXPECT_TRUE(compare<float>({1.5f}, {third}, declared(Tolerance::Kind::Ulp, 3)).empty());
  EXPECT_TRUE(
      compare<double>({0}, {std::numeric_limits<double>::denorm_min()}, declared(Tolerance::Kind::Ulp, 1)).empty());
}

TEST(Comparison, ReassociationAdmitsAnotherOrderOfSumsAndNoNarrowerType) {
  EXPECT_TRUE(compare<float>({1000, 1e-3f}, {1000.05f, 1.05e-3f}, kReassociate).empty());
  EXPECT_FALSE(compare<float>({1, 0.5f}, {1, 0.499f}, kReassociate).empty());
  EXPECT_FALSE(compare<double>({1.0 / 3}, {static_cast<double>(1.0f / 3)}, kReassociate).empty())
      << "computed in float, returned as double";
  EXPECT_FALSE(compare<float>({1, 2}, {0, 0}, kReassociate).empty());
}

/// Most elements are judged many at a time, in double: at every position, the verdict is that of long double.
template <class T> void expectTheSameVerdictAnywhere(const Exactness &exactness) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> values = {
      0, T(-0.0), 1, T(-1), T(1e-30), T(3.7), Limits::min(), Limits::denorm_min(), T(12345.678), Limits::max()};
  for (const T expected : values)
    for (const T factor : {T(1), T(1 + 1e-5), T(1 + 0.9999e-4), T(1 + 1.0001e-4), T(1 - 1e-4), T(1 + 2e-10), T(2)})
      for (const std::size_t at : {0, 1, 31, 32, 33, 69}) {
        std::vector<T> left(70, 1), right(70, std::nextafter(T(1), T(2)));
        left[at] = expected;
        right[at] = expected * factor;
        const long double largest = std::max(T(1), std::fabs(expected));
        const long double distance = std::fabs((long double)right[at] - (long double)left[at]);
        const bool isSame = std::memcmp(&left[at], &right[at], sizeof(T)) == 0;
        const bool isNear = std::isfinite(right[at]) && exactness.kind != Exactness::Kind::Bits &&
                            distance <= allowedDistance(exactness, sizeof(T), expected, largest);
        const bool areOthersNear = std::nextafter(T(1), T(2)) - 1 <= allowedDistance(exactness, sizeof(T), 1, largest);
        const std::size_t wanted = (isSame || isNear ? 0 : 1) + (areOthersNear ? 0 : 69);
        EXPECT_EQ(differingElements(compare<T>(left, right, exactness)), wanted)
            << double(expected) << " * " << double(factor) << " at " << at << ' ' << exactness.text();
      }
}

TEST(Comparison, ManyElementsAtATimeAreJudgedAsOneIs) {
  for (const Exactness &exactness :
       {kBits, kReassociate, kReassociate.loosened(4), declared(Tolerance::Kind::Absolute, 1e-4),
        declared(Tolerance::Kind::Relative, 1e-4), declared(Tolerance::Kind::Ulp, 3)}) {
    expectTheSameVerdictAnywhere<float>(exactness);
    expectTheSameVerdictAnywhere<double>(exactness);
  }
  const float nan = kNan, inf = kInf;
  const std::vector<float> left(40, inf), right(40, -inf), finite(40, 1), none(40, nan);
  const Exactness wide = declared(Tolerance::Kind::Relative, 1e30);
  EXPECT_EQ(compare<float>(left, right, wide).at(0).count, 40u);
  EXPECT_EQ(compare<float>(left, finite, wide).at(0).count, 40u);
  EXPECT_EQ(compare<float>(finite, none, wide).at(0).count, 40u);
  EXPECT_TRUE(compare<float>(none, std::vector<float>(40, -nan), wide).empty());
}

TEST(Comparison, WhatIsAlikeEndsARun) {
  std::vector<float> left(100, 1), right(100, 1);
  for (const std::size_t i : {3, 4, 5, 40, 41, 99})
    right[i] = 2;
  right[6] = 1.00001f; // near
  const auto differences = compare<float>(left, right, kReassociate);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].count, 6u);
  EXPECT_EQ(differences[0].index, 3u);
  EXPECT_EQ(differences[0].longestRun, 3u);
}

TEST(Comparison, BitsMeansBits) {
  EXPECT_TRUE(compare<float>({1.5f, kNan}, {1.5f, kNan}, kBits).empty());
  EXPECT_FALSE(compare<float>({1.5f}, {std::nextafter(1.5f, 2.0f)}, kBits).empty());
  EXPECT_FALSE(compare<float>({0.0f}, {-0.0f}, kBits).empty());
}

TEST(Comparison, NotANumberIsNoWildcard) {
  for (const Exactness &exactness : {kBits, kReassociate, declared(Tolerance::Kind::Absolute, 1e9)}) {
    EXPECT_FALSE(compare<float>({kNan}, {1}, exactness).empty());
    EXPECT_TRUE(compare<float>({1}, {kNan}, exactness).at(0).isNotANumber);
    EXPECT_FALSE(compare<float>({kInf}, {1e30f}, exactness).empty());
    EXPECT_FALSE(compare<float>({kInf}, {-kInf}, exactness).empty());
    EXPECT_TRUE(compare<float>({-kInf, kNan}, {-kInf, kNan}, exactness).empty());
  }
}

TEST(Comparison, HalfPrecisionIsANumberToo) {
  const std::vector<std::uint16_t> one{0x3c00}, nextToOne{0x3c01}, two{0x4000}, nan{0x7e00}, tiny{0x0001};
  EXPECT_TRUE(compare(one, nextToOne, declared(Tolerance::Kind::Ulp, 1)).empty());
  EXPECT_NEAR(compare(one, two, kReassociate).at(0).largest, 1.0, 1e-9);
  EXPECT_TRUE(compare(one, nan, kReassociate).at(0).isNotANumber);
  EXPECT_TRUE(compare(tiny, std::vector<std::uint16_t>{0}, declared(Tolerance::Kind::Absolute, 1e-7)).empty());
}

TEST(Comparison, WhatIsNoNumberIsComparedAsBytes) {
  EXPECT_FALSE(compare<std::uint64_t>({1}, {2}, declared(Tolerance::Kind::Absolute, 10), Element::Bytes).empty());
  EXPECT_FALSE(compare<std::int32_t>({1}, {2}, declared(Tolerance::Kind::Absolute, 10), Element::Signed).empty());
}

TEST(Comparison, FieldsStandOneAfterTheOther) {
  const std::vector<OutputField> fields{{"flags", Element::Unsigned, 1, 3}, {"sum", Element::Floating, 4, 4}};
  std::vector<std::byte> expected(16), actual(16);
  const float sum = 2;
  std::memcpy(expected.data() + 8, &sum, sizeof sum);
  actual[1] = std::byte{1};
  const auto differences = compareOutputs(fields, expected, actual, kReassociate);
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].field, "flags");
  EXPECT_EQ(differences[1].text(), "'sum' differs, by up to 2");
  EXPECT_EQ(differingElements(compareOutputs(fields, expected, std::span(actual).first(8), kReassociate)), 1u)
      << "too little came back";
}

TEST(Comparison, ALoosenedToleranceIsATolerance) {
  EXPECT_FALSE(compare<float>({1}, {1.03f}, declared(Tolerance::Kind::Absolute, 0.01)).empty());
  EXPECT_TRUE(compare<float>({1}, {1.03f}, declared(Tolerance::Kind::Absolute, 0.01).loosened(4)).empty());
  EXPECT_FALSE(compare<float>({1}, {1.05f}, declared(Tolerance::Kind::Absolute, 0.01).loosened(4)).empty());
  EXPECT_FALSE(compare<float>({1}, {std::nextafter(1.0f, 2.0f)}, kBits.loosened(1e6)).empty());
}

TEST(Comparison, RoundingDecidesHereAndThereBetweenValuesThatOccur) {
  std::vector<std::int32_t> expected(1000);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = static_cast<std::int32_t>(i % 100);
  std::vector<std::int32_t> scattered = expected, stretch = expected, unwritten = expected, below = expected;
  for (std::size_t i = 0; i < expected.size(); i += 17)
    scattered[i] = 50;
  for (std::size_t i = 500; i < 533; ++i)
    stretch[i] = 99 - expected[i] == expected[i] ? 0 : 99 - expected[i];
  unwritten[7] = 0x12345678;
  below[7] = -1;
  const auto isRounding = [&](const std::vector<std::int32_t> &actual) {
    return mayBeRounding(compare(expected, actual, kReassociate, Element::Signed));
  };
  EXPECT_TRUE(isRounding(expected));
  EXPECT_TRUE(isRounding(scattered));
  EXPECT_FALSE(isRounding(stretch));
  EXPECT_FALSE(isRounding(unwritten));
  EXPECT_FALSE(isRounding(below));
  EXPECT_FALSE(mayBeRounding(compare<float>({1, 2, 3}, {1, kNan, 3}, kBits)));
  EXPECT_TRUE(mayBeRounding(compare<float>({1, 2, 3}, {1, 2.5f, 3}, kBits)));
}

/// Compares one field whose contraction is known.
std::vector<Difference> compareContracted(const std::vector<float> &expected, const std::vector<float> &actual,
                                          double contraction) {
  const OutputField field{"C", Element::Floating, 4, expected.size() * 4, contraction};
  return compareOutputs(std::span(&field, 1), paddedBytesOf(expected), paddedBytesOf(actual), kStrict);
}

TEST(Comparison, StrictAdmitsWhatContractionExplainsAndNoMore) {
  const float next = std::nextafter(1.5f, 2.0f);
  EXPECT_FALSE(compareContracted({1.5f}, {next}, 0).empty()) << "there is nothing to contract";
  EXPECT_TRUE(compareContracted({1.5f, 3}, {next, 3}, 1e-6).empty());
  EXPECT_FALSE(compareContracted({1.5f}, {1.5f * 1.00005f}, 1e-6).empty());
  EXPECT_FALSE(compareContracted({0.0f}, {-0.0f}, 1e-6).empty());
  EXPECT_FALSE(compareContracted({1}, {kNan}, 1e-6).empty());
  EXPECT_TRUE(compareContracted({kNan}, {-kNan}, 0).empty());
  EXPECT_TRUE(compare<float>({1.5f}, {next}, kStrict).empty()) << "nothing is known: 2 ulp of the largest";
  EXPECT_FALSE(compare<float>({1.5f}, {1.5f * 1.00005f}, kStrict).empty());
}

TEST(Comparison, ContractionGoesAsFarAsTheBaselineShows) {
  std::vector<OutputField> fields{{"sum", Element::Floating, 4, 12}, {"n", Element::Signed, 4, 4}};
  std::vector<std::byte> left = paddedBytesOf(std::vector<float>{100, 1, 2}),
                         right = paddedBytesOf(std::vector<float>{100.5f, 1, 2});
  const std::vector<std::byte> n = paddedBytesOf(std::vector<std::int32_t>{3});
  left.insert(left.end(), n.begin(), n.end());
  right.insert(right.end(), n.begin(), n.end());
  learnContraction(fields, left, right);
  EXPECT_DOUBLE_EQ(fields[0].contraction, 2.0);
  EXPECT_EQ(fields[1].contraction, 0);
  learnContraction(fields, left, left);
  EXPECT_DOUBLE_EQ(fields[0].contraction, 2 * std::ldexp(1.0, 6 - 23)) << "2 ulp of 100";
}

TEST(Comparison, NoToleranceIsNarrowerThanTheBaselinesRounding) {
  std::vector<OutputField> fields{{"sum", Element::Floating, 4, 12}, {"n", Element::Signed, 4, 4}};
  std::vector<std::byte> nearest = paddedBytesOf(std::vector<float>{1e7f, 1, 2}),
                         upward = paddedBytesOf(std::vector<float>{1e7f + 2, 1, 2});
  const std::vector<std::byte> n = paddedBytesOf(std::vector<std::int32_t>{3});
  nearest.insert(nearest.end(), n.begin(), n.end());
  upward.insert(upward.end(), n.begin(), n.end());
  learnRounding(fields, nearest, upward);
  EXPECT_DOUBLE_EQ(fields[0].rounding, 8.0);
  EXPECT_EQ(fields[1].rounding, 0);
  const Exactness declared{Exactness::Kind::Declared, {Tolerance::Kind::Absolute, 0.001}};
  const auto differences = [&](float first) {
    std::vector<std::byte> actual = paddedBytesOf(std::vector<float>{first, 1, 2});
    actual.insert(actual.end(), n.begin(), n.end());
    return compareOutputs(fields, nearest, actual, declared).size();
  };
  EXPECT_EQ(differences(1e7f - 8), 0u);
  EXPECT_EQ(differences(1e7f - 9), 1u);
  EXPECT_EQ(differences(kNan), 1u);
  learnRounding(fields, nearest, nearest);
  EXPECT_EQ(fields[0].rounding, 0);
  EXPECT_EQ(differences(1e7f - 1), 1u);
}

TEST(Comparison, NoToleranceIsNarrowerThanTheBaselinesContraction) {
  const Exactness declared{Exactness::Kind::Declared, {Tolerance::Kind::Absolute, 0.001}};
  const auto differences = [&](double contraction, float actual) {
    const OutputField field{"C", Element::Floating, 4, 4, contraction};
    return compareOutputs(std::span(&field, 1), paddedBytesOf<float>({1e7f}), paddedBytesOf<float>({actual}), declared)
        .size();
  };
  EXPECT_EQ(differences(0, 1e7f + 4), 1u) << "the baseline keeps its tolerance";
  EXPECT_EQ(differences(-1, 1e7f + 4), 1u) << "nothing is known";
  EXPECT_EQ(differences(8, 1e7f + 4), 0u);
  EXPECT_EQ(differences(8, 1e7f + 16), 1u);
  EXPECT_EQ(differences(8, kNan), 1u);
}

TEST(Comparison, TheContractSaysHowExact) {
  KernelSpec spec;
  EXPECT_EQ(exactnessOf(spec).kind, Exactness::Kind::Strict);
  spec.parseArguments = {"-ffp-contract=off"};
  EXPECT_EQ(exactnessOf(spec).kind, Exactness::Kind::Bits);
  spec.parseArguments = {"-ffast-math"};
  EXPECT_EQ(exactnessOf(spec).kind, Exactness::Kind::Reassociate);
  spec.contract.floatingPoint = FloatingPoint::Contract;
  EXPECT_EQ(exactnessOf(spec).kind, Exactness::Kind::Strict);
  spec.contract.floatingPoint = FloatingPoint::Strict;
  EXPECT_EQ(exactnessOf(spec).kind, Exactness::Kind::Bits);
  spec.contract.tolerance = Tolerance{Tolerance::Kind::Ulp, 2};
  EXPECT_EQ(exactnessOf(spec).text(), "within ulp 2");
  spec.contract.tolerance->value = 0;
  EXPECT_EQ(exactnessOf(spec).text(), "bit for bit");
}

// The root of a negative number that the tool made up: a kernel that has no NaN may do as it likes.
TEST(Comparison, WhatIsNoNumberOfAKernelWithoutNansMayBeAnything) {
  Exactness exactness = declared(Tolerance::Kind::Relative, 1e-3);
  EXPECT_FALSE(compare<float>({1, kNan}, {1, 7}, exactness.forMadeContents()).empty());
  exactness.isFinite = true;
  EXPECT_TRUE(compare<float>({1, kNan, -kInf}, {1, 7, kNan}, exactness.forMadeContents()).empty());
  EXPECT_FALSE(compare<float>({1, kNan}, {1, 7}, exactness).empty()) << "in the project's own calls it counts";
  EXPECT_FALSE(compare<float>({1, kNan}, {2, 7}, exactness.forMadeContents()).empty());
  EXPECT_FALSE(compare<float>({1}, {kNan}, exactness.forMadeContents()).empty());
  KernelSpec spec;
  EXPECT_FALSE(exactnessOf(spec).isFinite);
  spec.contract.isFinite = true;
  EXPECT_TRUE(exactnessOf(spec).isFinite);
}

} // namespace
} // namespace agentic
