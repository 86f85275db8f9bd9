#include "tool/evaluate/differential/probing.h"

#include "tests/evaluate/differential/bytes.h"
#include <cstring>
#include <functional>

#include <gtest/gtest.h>
#include <memory>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;
using Numbers = std::vector<std::uint32_t>;

Numbers numbersOf(std::span<const std::byte> bytes) {
  Numbers values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

/// void kernel(const std::uint32_t *x, std::uint32_t *y), both of two elements.
GlueDescription glue(bool isDeclared) {
  GlueDescription glue;
  for (const char *name : {"x", "y"})
    glue.parameters.push_back({.name = name,
                               .kind = Kind::Pointer,
                               .element = Element::Unsigned,
                               .isDeclared = isDeclared,
                               .size = 8,
                               .elementSize = 4});
  return glue;
}

PlannedCall call(const Numbers &x, const Numbers &y) {
  PlannedCall planned;
  planned.origin = "recorded in a benchmark";
  planned.call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(x)},
                            {{.role = wire::Role::InOut, .address = 0x2000}, bytesOf(y)}};
  return planned;
}

using Kernel = std::function<void(const Numbers &x, Numbers &y)>;

/// Acts like the runner: garbage where a step says so, then the kernel. One that dies leaves no more steps.
std::function<Result<ReplayOutcome>(const Plan &)> runnerOf(Kernel kernel, std::size_t diesAt = ~std::size_t{0}) {
  return [kernel = std::move(kernel), diesAt](const Plan &plan) -> Result<ReplayOutcome> {
    ReplayOutcome outcome;
    std::string text;
    for (std::size_t i = 0; i < plan.steps.size() && i < diesAt; ++i) {
      const RecordedCall &one = plan.calls[plan.steps[i].header.call].call;
      Numbers y = numbersOf(one.arguments[1].bytes);
      if (one.arguments[1].header.role == wire::Role::Out)
        y.assign(y.size(), static_cast<std::uint32_t>(plan.steps[i].header.seed));
      kernel(numbersOf(one.arguments[0].bytes), y);
      text.append(reinterpret_cast<const char *>(y.data()), y.size() * 4);
      ReplayedStep step;
      step.header.step = i;
      step.header.status = wire::StepStatus::Done;
      step.header.seconds = 0.5;
      step.header.outputHash = wire::hashBytes(y.data(), y.size() * 4);
      outcome.steps.push_back(step);
    }
    outcome.file = std::make_shared<const std::string>(std::move(text));
    for (std::size_t i = 0; i < outcome.steps.size(); ++i)
      outcome.steps[i].outputs = std::span(reinterpret_cast<const std::byte *>(outcome.file->data()) + 8 * i, 8);
    outcome.isComplete = outcome.steps.size() == plan.steps.size();
    return outcome;
  };
}

void doubled(const Numbers &x, Numbers &y) {
  y = {2 * x[0], 2 * x[1]};
}

ProbedCalls probed(const GlueDescription &kernel, std::vector<PlannedCall> calls,
                   std::function<Result<ReplayOutcome>(const Plan &)> run, std::size_t mostRepeated = 4) {
  Result<ProbedCalls> result = probeCalls({.kernel = &kernel,
                                           .calls = std::move(calls),
                                           .seed = 7,
                                           .mostRepeated = mostRepeated,
                                           .runBaseline = std::move(run)});
  EXPECT_TRUE(result);
  return result ? std::move(*result) : ProbedCalls();
}

TEST(Probing, OldContentsThatDoNotMatterMakeAnOutput) {
  const ProbedCalls result = probed(glue(false), {call({1, 2}, {9, 9})}, runnerOf(doubled));
  ASSERT_EQ(result.calls.size(), 1u);
  EXPECT_EQ(result.calls[0].call.arguments[1].header.role, wire::Role::Out);
  EXPECT_EQ(result.calls[0].seconds, 0.5);
  EXPECT_TRUE(result.repeated.empty()); // an output can hold the results of another call anyway
}

TEST(Probing, OldContentsThatMatterStayAnInput) {
  const ProbedCalls result =
      probed(glue(false), {call({1, 2}, {9, 9})}, runnerOf([](const Numbers &x, Numbers &y) { y[0] += x[0]; }));
  ASSERT_EQ(result.calls.size(), 1u);
  EXPECT_EQ(result.calls[0].call.arguments[1].header.role, wire::Role::InOut);
}

TEST(Probing, ACallOnItsOwnResultsWhereTheyDoNotMatter) {
  const ProbedCalls result = probed(glue(true), {call({1, 2}, {9, 9})}, runnerOf(doubled));
  ASSERT_EQ(result.repeated.size(), 1u);
  const PlannedCall &repeated = result.repeated[0];
  EXPECT_EQ(numbersOf(repeated.call.arguments[0].bytes), (Numbers{1, 2}));
  EXPECT_EQ(numbersOf(repeated.call.arguments[1].bytes), (Numbers{2, 4}));
  EXPECT_EQ(repeated.call.arguments[1].header.role, wire::Role::InOut);
  EXPECT_TRUE(repeated.isHeldOut);
  EXPECT_EQ(numbersOf(result.calls[0].call.arguments[1].bytes), (Numbers{9, 9}));
}

TEST(Probing, NoneWhereResultsAddUp) {
  const ProbedCalls result =
      probed(glue(true), {call({1, 2}, {9, 9})}, runnerOf([](const Numbers &x, Numbers &y) { y[0] += x[0]; }));
  EXPECT_TRUE(result.repeated.empty());
}

TEST(Probing, NoneWhereTheyWereRecordedSo) {
  const ProbedCalls result = probed(glue(true), {call({1, 2}, {2, 4})}, runnerOf(doubled));
  EXPECT_TRUE(result.repeated.empty());
}

TEST(Probing, AsManyRepeatedAsAreAskedFor) {
  const std::vector<PlannedCall> calls(5, call({1, 2}, {9, 9}));
  EXPECT_EQ(probed(glue(true), calls, runnerOf(doubled), 2).repeated.size(), 2u);
}

TEST(Probing, WhatTheBaselineDoesNotSurviveStaysAsItIs) {
  const std::vector<PlannedCall> calls(2, call({1, 2}, {9, 9}));
  const ProbedCalls result = probed(glue(true), calls, runnerOf(doubled, 1));
  ASSERT_EQ(result.calls.size(), 2u);
  EXPECT_EQ(result.calls[1].seconds, 0);
  EXPECT_EQ(result.repeated.size(), 1u);
}

} // namespace
} // namespace agentic
