#include "tool/evaluate/differential/recorded_calls.h"

#include "tool/evaluate/differential/recorded_calls_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::byte> bytes(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

RecordedArgument argument(wire::Role role, std::vector<std::byte> content) {
  RecordedArgument argument;
  argument.header.role = role;
  argument.header.address = 0x1000;
  argument.header.bytes = content.size();
  argument.header.hashAfter = 77;
  argument.bytes = std::move(content);
  return argument;
}

RecordedArgument integer(std::int64_t value) {
  std::vector<std::byte> content(sizeof value);
  std::memcpy(content.data(), &value, sizeof value);
  return argument(wire::Role::Value, content);
}

RecordedCall call(std::int64_t n, std::size_t size, bool isBenchmark, std::uint64_t sequence = 0) {
  RecordedCall call;
  call.header.isBenchmark = isBenchmark;
  call.header.sequence = sequence;
  call.arguments = {integer(n), argument(wire::Role::In, bytes(size, 3))};
  call.result = bytes(5, 9);
  return call;
}

std::vector<std::int64_t> sequences(const std::vector<RecordedCall> &calls) {
  std::vector<std::int64_t> result;
  for (const RecordedCall &call : calls)
    result.push_back(static_cast<std::int64_t>(call.header.sequence));
  return result;
}

TEST(RecordedCalls, AreReadAsTheyWereWritten) {
  RecordedCall first = call(4, 13, true, 42), second = call(5, 0, false, 43);
  second.arguments.push_back(argument(wire::Role::Null, {}));
  const Result<std::vector<RecordedCall>> read = readCalls(writeCalls({first, second}));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_THAT(*read, SizeIs(2));
  EXPECT_EQ((*read)[0].arguments[1].bytes, first.arguments[1].bytes);
  EXPECT_EQ((*read)[0].arguments[1].header.hashAfter, 77u);
  EXPECT_EQ((*read)[0].result, first.result);
  EXPECT_EQ((*read)[0].header.isBenchmark, 1u);
  EXPECT_EQ((*read)[1].arguments[2].header.role, wire::Role::Null);
  EXPECT_EQ(writeCalls(*read), writeCalls({first, second}));
}

TEST(RecordedCalls, ACallThatWasCutIsPassedOver) {
  const std::string text = writeCalls({call(1, 100, false), call(2, 100, false)});
  const Result<std::vector<RecordedCall>> read = readCalls(std::string_view(text).substr(0, text.size() - 8));
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, SizeIs(1));
}

TEST(RecordedCalls, NonsenseIsAnError) {
  EXPECT_FALSE(readCalls(""));
  EXPECT_FALSE(readCalls("something else altogether"));
  std::string text = writeCalls({call(1, 16, false)});
  const std::size_t role = sizeof(wire::FileHeader) + sizeof(wire::Call);
  std::string broken = text;
  broken[role] = 99;
  EXPECT_FALSE(readCalls(broken)) << "no such role";
  broken = text;
  const std::uint64_t huge = ~std::uint64_t{0} - 3;
  std::memcpy(broken.data() + role + offsetof(wire::Argument, bytes), &huge, sizeof huge);
  EXPECT_FALSE(readCalls(broken)) << "a payload beyond the call";
  broken = text;
  const std::uint32_t count = 0xffffffff;
  std::memcpy(broken.data() + sizeof(wire::FileHeader) + offsetof(wire::Call, argumentCount), &count, sizeof count);
  EXPECT_FALSE(readCalls(broken));
  broken = text;
  std::memcpy(broken.data() + sizeof(wire::FileHeader) + offsetof(wire::Call, resultBytes), &huge, sizeof huge);
  EXPECT_FALSE(readCalls(broken));
}

TEST(RecordedCalls, NoBytesAreReadThatAreNotThere) {
  // The result must be writable again; the sanitizers watch the rest.
  std::mt19937 random(7);
  const std::string good = writeCalls({call(1, 40, false), call(2, 7, true), call(3, 0, false)});
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    for (unsigned i = 0; i < 1 + random() % 6; ++i)
      text[8 + random() % (text.size() - 8)] = static_cast<char>(random() % 4 ? random() % 256 : 0xff);
    text.resize(random() % 3 ? text.size() : random() % (text.size() + 1));
    if (const Result<std::vector<RecordedCall>> read = readCalls(text)) {
      std::size_t total = 0;
      for (const RecordedCall &one : *read)
        total += payloadBytes(one);
      EXPECT_LE(total, text.size());
      EXPECT_TRUE(readCalls(writeCalls(*read)));
    }
  }
}

TEST(RecordedCalls, EachShapeOnceBeforeAnyTwiceAndBenchmarksFirst) {
  std::vector<RecordedCall> calls = {call(1, 8, false, 0), call(1, 8, false, 1), call(2, 8, false, 2),
                                     call(1, 8, true, 3),  call(3, 8, true, 4),  call(3, 8, true, 5)};
  EXPECT_THAT(sequences(chooseCalls(calls, 2, 1 << 20)), ElementsAre(3, 4));
  EXPECT_THAT(sequences(chooseCalls(calls, 3, 1 << 20)), ElementsAre(2, 3, 4));
  EXPECT_THAT(sequences(chooseCalls(calls, 4, 1 << 20)), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(sequences(chooseCalls(calls, 9, 1 << 20)), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(RecordedCalls, ACallThatDoesNotFitLeavesRoomForSmallerOnes) {
  EXPECT_THAT(sequences(chooseCalls({call(1, 5000, true, 0), call(2, 8, false, 1)}, 9, 1000)), ElementsAre(1));
}

GlueDescription description() {
  GlueDescription kernel;
  kernel.parameters.resize(2);
  kernel.parameters[0].name = "n";
  kernel.parameters[0].kind = GlueParameter::Kind::Scalar;
  kernel.parameters[0].element = GlueParameter::Element::Signed;
  kernel.parameters[0].size = 8;
  kernel.parameters[1].name = "values";
  kernel.parameters[1].kind = GlueParameter::Kind::Range;
  kernel.parameters[1].elementSize = 4;
  return kernel;
}

TEST(RecordedCalls, ShapesAreTold) {
  const std::vector<RecordedCall> calls = {call(-4, 8, false), call(-4, 8, false), call(7, 40, true)};
  EXPECT_THAT(shapeTexts(description(), calls, false), ElementsAre("n=-4 values.size()=2"));
  EXPECT_THAT(shapeTexts(description(), calls, true), ElementsAre("n=7 values.size()=10"));
}

TEST(RecordedCalls, OverlapsCountWhereOneIsWritten) {
  GlueDescription kernel = description();
  kernel.parameters[0].name = "from";
  kernel.parameters[1].name = "to";
  const auto pairs = [&](wire::Role first, std::uint64_t at, wire::Role second, std::uint64_t other) {
    RecordedCall one = call(1, 8, false);
    one.arguments[0] = argument(first, bytes(8, 1));
    one.arguments[1] = argument(second, bytes(16, 2));
    one.arguments[0].header.address = at;
    one.arguments[1].header.address = other;
    return overlapsOf(kernel, {call(1, 8, false), one}).size();
  };
  using enum wire::Role;
  EXPECT_EQ(pairs(In, 4096, Out, 4096), 1u);
  EXPECT_EQ(pairs(InOut, 4096, In, 4103), 1u);
  EXPECT_EQ(pairs(In, 4111, InOut, 4096), 1u);
  EXPECT_EQ(pairs(In, 4096, In, 4096), 0u);  // nothing is written
  EXPECT_EQ(pairs(In, 4096, Out, 4104), 0u); // side by side
  EXPECT_EQ(pairs(In, 4112, Out, 4096), 0u);
  EXPECT_EQ(pairs(In, 0, Out, 0), 0u); // not known
  EXPECT_EQ(pairs(Value, 0, InOut, 4096), 0u);
}

TEST(RecordedCalls, WhatIsNotCapturedIsNamedWithWhatToDeclare) {
  std::vector<RecordedCall> calls = {call(1, 8, false), call(2, 8, false)};
  EXPECT_THAT(uncoveredSentences(description(), calls), IsEmpty());
  calls[1].arguments[1] = argument(wire::Role::Uncovered, {});
  calls[1].arguments[1].header.reason = wire::Reason::UnknownExtent;
  EXPECT_THAT(uncoveredSentences(description(), calls),
              ElementsAre(testing::AllOf(HasSubstr("'values' was not captured in some calls"),
                                         HasSubstr("AGENTIC_IN, AGENTIC_OUT or AGENTIC_INOUT(values"))));
  EXPECT_FALSE(isCovered(calls[1]));
  GlueDescription opaque = description();
  opaque.parameters[1].kind = GlueParameter::Kind::Opaque;
  EXPECT_THAT(uncoveredSentences(opaque, {}), ElementsAre(HasSubstr("'values' cannot be captured")));
}

TEST(GlueDescription, IsReadFromWhatTheRunnerPrints) {
  const std::string row = R"({"name":"a","kind":1,"element":3,"direction":2,"declared":0,"reference":0,"extent":1,)"
                          R"("size":8,"alignment":8,"elementSize":4,"elementAlignment":4})";
  const Result<GlueDescription> read =
      parseGlueDescription("{\"parameters\":[" + row + "],\"result\":" + row + ",\"requirements\":1}");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->parameters[0].kind, GlueParameter::Kind::Pointer);
  EXPECT_EQ(read->parameters[0].element, GlueParameter::Element::Floating);
  EXPECT_EQ(read->parameters[0].direction, GlueParameter::Direction::InOut);
  EXPECT_TRUE(read->parameters[0].hasExtent && read->hasRequirements && read->opaque.empty());
  for (const char *nonsense : {"", "{}", "[1]", "{\"parameters\":[{}],\"result\":{},\"requirements\":0}"})
    EXPECT_FALSE(parseGlueDescription(nonsense)) << nonsense;
  std::string unknown = row;
  unknown.replace(unknown.find("\"kind\":1"), 8, "\"kind\":9");
  EXPECT_FALSE(parseGlueDescription("{\"parameters\":[" + unknown + "],\"result\":" + row + ",\"requirements\":0}"));
}

} // namespace
} // namespace agentic
