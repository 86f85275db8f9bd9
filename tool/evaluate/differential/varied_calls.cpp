#include "tool/evaluate/differential/varied_calls.h"

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/element_type.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace agentic {
namespace {

template <class T> std::vector<std::byte> bytesOfNumber(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Never the largest: a kernel that counts up to it takes too long.
template <class T> std::vector<T> othersOf(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return {value * 2, value / 2, -value, T(0), T(1), std::nextafter(value, std::numeric_limits<T>::infinity())};
  const auto wide = static_cast<std::uint64_t>(value); // wraps, and does not overflow
  std::vector<T> others;
  for (const std::uint64_t other :
       {wide + 1, wide - 1, std::uint64_t(value / 2), 2 * wide, std::uint64_t(0), std::uint64_t(1)})
    others.push_back(static_cast<T>(other));
  if (std::is_signed_v<T>)
    others.insert(others.end(), {static_cast<T>(0 - wide), static_cast<T>(-1), std::numeric_limits<T>::min()});
  return others;
}

class Variation {
public:
  explicit Variation(const VariationRequest &request) : request_(request), rules_(*request.contract) {}

  std::vector<PlannedCall> run() {
    base_ = largestCheap();
    if (!base_)
      return {};
    std::vector<std::vector<PlannedCall>> all;
    for (std::size_t i = 0; i < base_->call.arguments.size(); ++i)
      all.push_back(ofScalar(i));
    all.push_back(ofRanges());
    std::vector<PlannedCall> result;
    const std::size_t longest = std::ranges::max(all, {}, &std::vector<PlannedCall>::size).size();
    for (std::size_t round = 0; round < longest; ++round)
      for (std::vector<PlannedCall> &one : all)
        if (round < one.size() && result.size() < request_.most)
          result.push_back(std::move(one[round]));
    return result;
  }

private:
  const PlannedCall *largestCheap() const {
    const PlannedCall *best = nullptr;
    for (const PlannedCall &planned : *request_.recorded)
      if (planned.isForContents() && (!best || payloadBytes(planned.call) > payloadBytes(best->call)))
        best = &planned;
    return best;
  }

  /// Adds the call unless the contract forbids it, or it is there already.
  void add(std::vector<PlannedCall> &calls, PlannedCall call) const {
    const auto isSame = [](const RecordedCall &one, const RecordedCall &other) {
      return std::ranges::equal(one.arguments, other.arguments, {}, &RecordedArgument::bytes, &RecordedArgument::bytes);
    };
    const bool isKnown = isSame(call.call, base_->call) || std::ranges::any_of(calls, [&](const PlannedCall &other) {
                           return isSame(call.call, other.call);
                         });
    if (!isKnown && rules_.isLegal(valuesOf(call.call, *request_.parameters)))
      calls.push_back(std::move(call));
  }

  PlannedCall copy(std::size_t argument) const {
    return {.call = base_->call, .isHeldOut = true, .origin = "varied", .seconds = base_->seconds, .varied = argument};
  }

  std::vector<PlannedCall> ofScalar(std::size_t index) const {
    std::vector<PlannedCall> calls;
    const GlueParameter &parameter = (*request_.parameters)[index];
    const RecordedArgument &argument = base_->call.arguments[index];
    if (parameter.kind != GlueParameter::Kind::Scalar || argument.header.role != wire::Role::Value ||
        argument.bytes.size() != parameter.size || rules_.isSize(parameter.name))
      return calls;
    const auto vary = [&](std::vector<std::byte> bytes) {
      PlannedCall call = copy(index);
      call.call.arguments[index].bytes = std::move(bytes);
      add(calls, std::move(call));
    };
    withElementType(parameter.element, parameter.size, [&]<class T>(T value) {
      std::memcpy(&value, argument.bytes.data(), sizeof value);
      for (const std::size_t other : ofTheSameType(index)) {
        PlannedCall swapped = copy(index);
        std::swap(swapped.call.arguments[index].bytes, swapped.call.arguments[other].bytes);
        add(calls, std::move(swapped));
      }
      for (const T other : othersOf(value))
        vary(bytesOfNumber(other));
    });
    return calls;
  }

  std::vector<std::size_t> ofTheSameType(std::size_t index) const {
    std::vector<std::size_t> found;
    const auto &parameters = *request_.parameters;
    for (std::size_t i = index + 1; i < base_->call.arguments.size(); ++i)
      if (parameters[i].kind == GlueParameter::Kind::Scalar && parameters[i].element == parameters[index].element &&
          parameters[i].size == parameters[index].size && !rules_.isSize(parameters[i].name) &&
          base_->call.arguments[i].bytes.size() == parameters[i].size)
        found.push_back(i);
    return found;
  }

  std::vector<PlannedCall> ofRanges() const {
    std::vector<PlannedCall> calls;
    const auto &parameters = *request_.parameters;
    const auto first = std::ranges::find_if(parameters, [&](const GlueParameter &parameter) {
      return parameter.kind == GlueParameter::Kind::Range && parameter.elementSize > 0;
    });
    if (first == parameters.end())
      return calls;
    const std::size_t index = std::size_t(first - parameters.begin());
    const auto countOf = [&](std::size_t i) {
      return base_->call.arguments[i].bytes.size() / std::max<std::size_t>(1, parameters[i].elementSize);
    };
    const std::size_t count = countOf(index);
    for (const std::size_t shorter :
         {count - 1, count / 2, std::size_t(17), std::size_t(7), std::size_t(1), std::size_t(0)}) {
      if (shorter >= count)
        continue;
      PlannedCall call = copy(index);
      for (std::size_t i = 0; i < call.call.arguments.size(); ++i)
        if (parameters[i].kind == GlueParameter::Kind::Range && countOf(i) == count)
          call.call.arguments[i].bytes.resize(shorter * parameters[i].elementSize);
      add(calls, std::move(call));
    }
    return calls;
  }

  const VariationRequest &request_;
  ContractRules rules_;
  const PlannedCall *base_ = nullptr;
};

} // namespace

std::vector<PlannedCall> variedCalls(const VariationRequest &request) {
  return Variation(request).run();
}

} // namespace agentic
