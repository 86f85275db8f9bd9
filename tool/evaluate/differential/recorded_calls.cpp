#include "tool/evaluate/differential/recorded_calls.h"

#include "tool/base/files.h"
#include "tool/evaluate/differential/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace agentic {
namespace {

constexpr std::size_t kMostArguments = 256;

bool isConsistent(const wire::Argument &argument) {
  const bool hasPayload = argument.role != wire::Role::Null && argument.role != wire::Role::Uncovered;
  return argument.role <= wire::Role::Uncovered && argument.reason <= wire::Reason::Opaque &&
         (hasPayload || argument.bytes == 0);
}

std::unexpected<Error> broken(std::string_view what) {
  return bugError("recorded calls cannot be read: " + std::string(what));
}

Result<RecordedCall> readCall(const wire::Call &header, std::string_view body) {
  RecordedCall call{header, {}, {}};
  RecordReader reader(body);
  if (header.argumentCount > kMostArguments)
    return broken("a call has too many arguments");
  for (std::uint32_t i = 0; i < header.argumentCount; ++i) {
    RecordedArgument argument;
    if (!reader.read(argument.header) || !isConsistent(argument.header) ||
        !reader.payload(argument.header.bytes, argument.bytes))
      return broken("an argument is longer than its call, or of no known kind");
    call.arguments.push_back(std::move(argument));
  }
  if (!reader.payload(header.resultBytes, call.result) || reader.left() != 0)
    return broken("a call's parts and its length contradict each other");
  return call;
}

} // namespace

Result<std::vector<RecordedCall>> readCalls(std::string_view bytes) {
  return readRecords<wire::Call, RecordedCall>(bytes, wire::kCallsMagic, readCall, broken);
}

std::string writeCalls(const std::vector<RecordedCall> &calls) {
  std::string text;
  wire::FileHeader file{{}, calls.size()};
  std::memcpy(file.magic, wire::kCallsMagic, sizeof file.magic);
  appendPadded(text, &file, sizeof file);
  for (const RecordedCall &call : calls) {
    std::string body;
    for (const RecordedArgument &argument : call.arguments) {
      wire::Argument header = argument.header;
      header.bytes = argument.bytes.size();
      appendPadded(body, &header, sizeof header);
      appendPadded(body, argument.bytes.data(), argument.bytes.size());
    }
    appendPadded(body, call.result.data(), call.result.size());
    wire::Call header = call.header;
    header.argumentCount = static_cast<std::uint32_t>(call.arguments.size());
    header.resultBytes = call.result.size();
    header.bytes = body.size();
    appendPadded(text, &header, sizeof header);
    text += body;
  }
  return text;
}

CallingThreads callersIn(std::string_view bytes) {
  wire::FileHeader file;
  if (!RecordReader(bytes).read(file))
    return {};
  return {static_cast<std::uint32_t>(file.count), file.count >> 32 != 0};
}

Result<RecordedCalls> loadRecordedCalls(const std::string &file, const RecordingFacts &facts) {
  RecordedCalls recorded{{}, facts.uncovered, facts.notReplayable};
  if (!facts.notReplayable.empty())
    return recorded;
  std::string text = TRY(readFile(file));
  recorded.calls = TRY(readCalls(text));
  return recorded;
}

std::size_t payloadBytes(const RecordedCall &call) {
  std::size_t bytes = call.result.size();
  for (const RecordedArgument &argument : call.arguments)
    bytes += argument.bytes.size();
  return bytes;
}

bool isCovered(const RecordedCall &call) {
  return std::ranges::none_of(
      call.arguments, [](const RecordedArgument &argument) { return argument.header.role == wire::Role::Uncovered; });
}

std::string shapeOf(const RecordedCall &call) {
  std::string shape;
  for (const RecordedArgument &argument : call.arguments) {
    if (argument.header.role == wire::Role::Value)
      shape.append(reinterpret_cast<const char *>(argument.bytes.data()), argument.bytes.size());
    shape += fmt::format(";{}:{};", static_cast<unsigned>(argument.header.role), argument.bytes.size());
  }
  return shape;
}

std::vector<RecordedCall> chooseCalls(std::vector<RecordedCall> calls, std::size_t mostCalls, std::size_t mostBytes) {
  // Number of each call among those of its shape, benchmarks' calls before those of tests.
  std::map<std::string, std::size_t> seen;
  std::vector<std::size_t> round(calls.size());
  for (const bool isBenchmark : {true, false})
    for (std::size_t i = 0; i < calls.size(); ++i)
      if ((calls[i].header.isBenchmark != 0) == isBenchmark)
        round[i] = seen[shapeOf(calls[i])]++;
  std::vector<std::size_t> order(calls.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::tuple(round[i], calls[i].header.isBenchmark == 0, i); });
  std::set<std::size_t> chosen;
  std::size_t bytes = 0;
  for (std::size_t i : order)
    if (chosen.size() < mostCalls && payloadBytes(calls[i]) <= mostBytes - bytes) {
      bytes += payloadBytes(calls[i]);
      chosen.insert(i);
    }
  std::vector<RecordedCall> result;
  for (std::size_t i : chosen)
    result.push_back(std::move(calls[i]));
  return result;
}

} // namespace agentic
