#include "tool/evaluate/differential/varied_calls.h"

#include "tests/evaluate/differential/bytes.h"
#include "tool/evaluate/differential/tried_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;

/// void f(const float *x, size_t n, int low, int high, float eps), called with low = 3, high = 9, eps = 0.5.
struct NumbersCall {
  std::vector<GlueParameter> parameters = {
      {.name = "x", .kind = Kind::Pointer, .element = Element::Floating, .size = 8, .elementSize = 4},
      {.name = "n", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 8},
      {.name = "low", .kind = Kind::Scalar, .element = Element::Signed, .size = 4},
      {.name = "high", .kind = Kind::Scalar, .element = Element::Signed, .size = 4},
      {.name = "eps", .kind = Kind::Scalar, .element = Element::Floating, .size = 4}};
  Contract contract;
  std::vector<PlannedCall> calls;

  NumbersCall() {
    RecordedCall call;
    call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(std::vector<float>(100, 1.5f))},
                      {{.role = wire::Role::Value}, bytesOf<std::uint64_t>({100})},
                      {{.role = wire::Role::Value}, bytesOf<std::int32_t>({3})},
                      {{.role = wire::Role::Value}, bytesOf<std::int32_t>({9})},
                      {{.role = wire::Role::Value}, bytesOf<float>({0.5f})}};
    calls.push_back({.call = std::move(call), .isHeldOut = false, .origin = "recorded in a test"});
  }

  std::string text;

  std::vector<PlannedCall> varied(std::size_t most = 1000, bool special = false) const {
    return variedCalls({&contract, &parameters, &calls, most, special, text});
  }
};

template <class T> T numberOf(const PlannedCall &call, std::size_t argument) {
  T value;
  std::memcpy(&value, call.call.arguments[argument].bytes.data(), sizeof value);
  return value;
}

template <class T> std::set<T> valuesIn(const std::vector<PlannedCall> &calls, std::size_t argument) {
  std::set<T> values;
  for (const PlannedCall &call : calls)
    if (call.varied == argument)
      values.insert(numberOf<T>(call, argument));
  return values;
}

TEST(VariedCalls, OneNumberAtATime) {
  const std::vector<PlannedCall> calls = NumbersCall().varied();
  const std::set<int> low = valuesIn<int>(calls, 2);
  for (const int value : {4, 2, 1, 6, 0, -3, -1, INT32_MIN, 9})
    EXPECT_TRUE(low.contains(value)) << value;
  EXPECT_FALSE(low.contains(INT32_MAX)) << "a kernel that counts up to it does not end";
  EXPECT_TRUE(valuesIn<float>(calls, 4).contains(0.25f));
  EXPECT_TRUE(valuesIn<float>(calls, 4).contains(-0.5f));
  EXPECT_TRUE(valuesIn<std::uint64_t>(calls, 1).contains(99)) << "without a contract, it may be a size";
  for (const PlannedCall &call : calls) {
    EXPECT_TRUE(call.isHeldOut);
    int changed = 0;
    for (std::size_t i = 0; i < 5; ++i)
      changed += call.call.arguments[i].bytes != NumbersCall().calls[0].call.arguments[i].bytes;
    const bool isSwap = numberOf<int>(call, 2) == 9 && numberOf<int>(call, 3) == 3;
    EXPECT_EQ(changed, isSwap ? 2 : 1);
  }
  EXPECT_TRUE(std::ranges::any_of(calls, [](const PlannedCall &call) {
    return numberOf<int>(call, 2) == 9 && numberOf<int>(call, 3) == 3;
  })) << "low > high";
}

TEST(VariedCalls, TheContractDecides) {
  NumbersCall recorded;
  recorded.contract.extents = {{.parameter = "x", .text = "n"}};
  recorded.contract.requirements = {"low < high", "eps > 0"};
  const std::vector<PlannedCall> calls = recorded.varied();
  EXPECT_TRUE(valuesIn<std::uint64_t>(calls, 1).empty()) << "generated calls vary sizes, and the arrays with them";
  for (const PlannedCall &call : calls) {
    EXPECT_LT(numberOf<int>(call, 2), numberOf<int>(call, 3));
    EXPECT_GT(numberOf<float>(call, 4), 0);
  }
  EXPECT_FALSE(calls.empty());
}

TEST(VariedCalls, EveryArgumentHasItsTurnWithinTheLimit) {
  const std::vector<PlannedCall> calls = NumbersCall().varied(4);
  std::set<std::size_t> arguments;
  for (const PlannedCall &call : calls)
    arguments.insert(*call.varied);
  EXPECT_EQ(calls.size(), 1u + 4u) << "x is null besides";
  EXPECT_EQ(arguments.size(), 5u);
}

// A variant may have lost the check, or look at the elements before it.
TEST(VariedCalls, EachPointerIsNullOnce) {
  NumbersCall recorded;
  const auto nulls = [&] {
    return std::ranges::count_if(recorded.varied(0), [](const PlannedCall &call) {
      const RecordedArgument &x = call.call.arguments[0];
      return x.header.role == wire::Role::Null && x.header.address == 0 && x.bytes.empty();
    });
  };
  EXPECT_EQ(nulls(), 1);
  recorded.contract.extents = {{.parameter = "x", .text = "n"}};
  EXPECT_EQ(nulls(), 0) << "its elements are declared: a candidate may read them where the kernel does not";
  for (const char *text : {"if (x)", "if (!x)", "x == nullptr", "low > 3 && x", "x ? *x : 0", "while (x)"}) {
    recorded.text = text;
    EXPECT_EQ(nulls(), 1) << text;
  }
  for (const char *text : {"x[0] == 3", "f(x)", "*x & low", "max == 3"}) {
    recorded.text = text;
    EXPECT_EQ(nulls(), 0) << text;
  }
  recorded.contract.extents.clear();
  recorded.parameters[0].isReference = true;
  EXPECT_EQ(nulls(), 0);
}

// An opaque alpha has a short cut that may forget the rest.
TEST(VariedCalls, TheLargestOfShortTypesHasATurn) {
  NumbersCall recorded;
  recorded.parameters[2] = {.name = "alpha", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 1};
  recorded.calls[0].call.arguments[2].bytes = bytesOf<std::uint8_t>({200});
  EXPECT_TRUE(valuesIn<std::uint8_t>(recorded.varied(0), 2).contains(255));
  EXPECT_FALSE(valuesIn<int>(recorded.varied(0), 3).contains(INT32_MAX));
}

TEST(VariedCalls, WhatTheContractAndTheBaselineCompareANumberWith) {
  NumbersCall recorded;
  recorded.contract.requirements = {"low >= -5 && low <= 70", "eps > 0"};
  recorded.text = "if (low == 40 || 0x20u < low) switch (high) { case 12: return; case 'a': break; }";
  const std::set<int> low = valuesIn<int>(recorded.varied(0), 2), high = valuesIn<int>(recorded.varied(0), 3);
  EXPECT_THAT(low, testing::ElementsAre(-5, -4, 31, 32, 33, 39, 40, 41, 69, 70)) << "those that the contract permits";
  EXPECT_THAT(high, testing::ElementsAre(11, 12, 13, 96, 97, 98));
}

TEST(VariedCalls, SpecialValuesWhereTheyMatter) {
  const auto epsilons = [](bool special) { // no set: NaN has no order
    std::vector<float> values;
    for (const PlannedCall &call : NumbersCall().varied(1000, special))
      values.push_back(numberOf<float>(call, 4));
    return values;
  };
  EXPECT_TRUE(std::ranges::all_of(epsilons(false), [](float value) { return std::isfinite(value); }));
  EXPECT_THAT(epsilons(true), testing::IsSupersetOf({INFINITY, -INFINITY}));
  EXPECT_TRUE(std::ranges::any_of(epsilons(true), [](float value) { return std::isnan(value); }));
}

// A candidate may use the low bits of a number only, or a table that is long enough for the recorded ones.
TEST(VariedCalls, MuchLargerNumbersWhereALoopUpToThemIsCheap) {
  NumbersCall recorded;
  recorded.calls[0].seconds = 1e-5;
  const std::set<int> low = valuesIn<int>(recorded.varied(), 2);
  EXPECT_TRUE(low.contains(3 + 64));
  EXPECT_TRUE(low.contains(3 + 256));
  EXPECT_FALSE(low.contains(3 + 4096)) << "14 ms";
  recorded.parameters[2].size = 1;
  recorded.calls[0].call.arguments[2].bytes = bytesOf<std::int8_t>({100});
  for (const PlannedCall &call : recorded.varied())
    EXPECT_NE(numberOf<std::int8_t>(call, 2), std::int8_t(100 + 64)) << "not a larger one";
}

struct RangesCall : NumbersCall {
  RangesCall() {
    parameters = {{.name = "a", .kind = Kind::Range, .element = Element::Floating, .size = 16, .elementSize = 4},
                  {.name = "b", .kind = Kind::Range, .element = Element::Unsigned, .size = 16, .elementSize = 2}};
    calls[0].call.arguments = {
        {{.role = wire::Role::In, .address = 0x1000}, bytesOf(std::vector<float>(100, 1))},
        {{.role = wire::Role::InOut, .address = 0x9000}, bytesOf(std::vector<std::uint16_t>(100, 1))}};
  }
};

TEST(VariedCalls, RangesGetShorterTogetherAndEachAlone) {
  std::set<std::size_t> together, first, second;
  for (const PlannedCall &call : RangesCall().varied()) {
    const std::size_t a = call.call.arguments[0].bytes.size() / 4, b = call.call.arguments[1].bytes.size() / 2;
    if (a == b)
      together.insert(a);
    else
      (a < b ? first : second).insert(std::min(a, b));
    EXPECT_EQ(std::max(a, b), a == b ? a : 100);
  }
  EXPECT_THAT(together, testing::ElementsAre(0, 1, 7, 17, 50, 99));
  EXPECT_THAT(first, testing::ElementsAre(0, 99));
  EXPECT_THAT(second, testing::ElementsAre(0, 99));
}

TEST(VariedCalls, LargeAndDearCallsStayAsTheyAre) {
  NumbersCall recorded;
  recorded.calls[0].seconds = 1;
  EXPECT_TRUE(recorded.varied().empty());
  recorded.calls[0].seconds = 0;
  recorded.calls[0].call.arguments[0].bytes.resize(kMostContentBytes + 4);
  EXPECT_TRUE(recorded.varied().empty());
}

TEST(TriedValues, AreThoseOfTheCallsThatRan) {
  const NumbersCall recorded;
  Plan plan{.calls = recorded.varied(), .steps = {}};
  GlueDescription kernel;
  kernel.parameters = recorded.parameters;
  EXPECT_EQ(triedValues(plan, kernel), "");
  plan.calls.insert(plan.calls.begin(), recorded.calls[0]);
  PlanStep step;
  plan.steps.push_back(step);
  EXPECT_EQ(triedValues(plan, kernel),
            "compared with 'x' of 100 elements only, 'n' 100 only, 'low' 3 only, 'high' 9 only, 'eps' 0.5 only");
  for (std::size_t i = 0; i < plan.calls.size(); ++i) {
    step.header.call = i;
    plan.steps.push_back(step);
  }
  EXPECT_THAT(triedValues(plan, kernel), testing::HasSubstr("'low' -2147483648 to 65539"));
}

// The call does not end with one value of an argument: others of it are not tried. With another end they are.
TEST(VariedCalls, WhatDoesNotEndIsNotTriedAgain) {
  const auto planned = [](std::optional<std::size_t> varied) {
    return PlannedCall{.call = {}, .isHeldOut = true, .origin = {}, .varied = varied};
  };
  Plan plan{.calls = {planned(2), planned(2), planned(3)}, .steps = {}};
  for (const std::size_t call : {0, 0, 1, 2}) {
    PlanStep step;
    step.header.call = call;
    plan.steps.push_back(step);
  }
  Plan fault = plan;
  EXPECT_EQ(dropStep(fault, 0, StepEnd::Access), 2);
  EXPECT_EQ(dropStep(plan, 0, StepEnd::Time), 3);
  ASSERT_EQ(plan.steps.size(), 1u);
  EXPECT_EQ(plan.steps[0].header.call, 2u);
}

} // namespace
} // namespace agentic
