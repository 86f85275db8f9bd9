// Tests what the trap control prints of its arguments before it aborts.
#include "tool/evaluate/differential/observed_values.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

KernelSpec spec() {
  KernelSpec spec;
  spec.parameters = {{"a", "const float *", "const float *"},
                     {"n", "std::size_t", "unsigned long"},
                     {"k", "const int", "const int"},
                     {"x", "float", "float"},
                     {"on", "bool", "bool"},
                     {"", "int", "int"}};
  return spec;
}

TEST(ObservedValues, OnlyIntegersWithANameAreSaid) {
  const std::string body = observingBody(spec());
  EXPECT_THAT(body, HasSubstr("\"n\", static_cast<long long>(n)"));
  EXPECT_THAT(body, HasSubstr("\"k\", static_cast<long long>(k)"));
  EXPECT_THAT(body, Not(HasSubstr("(x)")));
  EXPECT_THAT(body, Not(HasSubstr("(a)")));
  EXPECT_THAT(body, Not(HasSubstr("(on)")));
  EXPECT_THAT(body, HasSubstr("__builtin_abort();\n}"));
}

TEST(ObservedValues, DifferentOnesInOrder) {
  ObservedValues values;
  addObserved(spec(), "Running ./bench\nagentic-kernel observed n 3072\nagentic-kernel observed k -4\nAborted", values);
  addObserved(spec(), "agentic-kernel observed n 64\nagentic-kernel observed n 3072", values);
  EXPECT_THAT(values, UnorderedElementsAre(Pair("k", ElementsAre(-4)), Pair("n", ElementsAre(3072, 64))));
}

TEST(ObservedValues, AreFew) {
  ObservedValues values;
  for (int n = 0; n < 20; ++n)
    addObserved(spec(), "agentic-kernel observed n " + std::to_string(n), values);
  EXPECT_EQ(values.at("n").size(), 8u);
}

TEST(ObservedValues, WhatABenchmarkPrintsItselfIsPassedOver) {
  ObservedValues values;
  addObserved(spec(),
              "agentic-kernel observed a 1\nagentic-kernel observed m 1\nagentic-kernel observed n 1x\n"
              "agentic-kernel observed n\nagentic-kernel observed n 99999999999999999999\nn 5\n",
              values);
  EXPECT_TRUE(values.empty());
}

} // namespace
} // namespace agentic
