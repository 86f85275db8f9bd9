#include "tool/evaluate/differential/varied_calls.h"

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/compared_literals.h"
#include "tool/evaluate/differential/element_type.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace agentic {
namespace {

/// What is added to a number so that few bits of it, or a small table, do not suffice.
constexpr std::int64_t kFarther[] = {64, 256, 4096, 65536};
/// Of a call with such a number: the trapping baseline does several steps of each.
constexpr double kFartherSeconds = 0.001;
constexpr std::size_t kMostAlways = 24, kStepsOfAlways = 4; ///< of calls that always have their turn

template <class T> std::vector<std::byte> bytesOfNumber(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Not the largest: a kernel that counts up to it takes too long, but for short types (largestOf()).
template <class T> std::vector<T> othersOf(T value, bool special) {
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    const T infinity = Limits::infinity();
    std::vector<T> others = {value * 2, value / 2, -value, T(0), T(1), std::nextafter(value, infinity)};
    if (special)
      others.insert(others.begin() + 1, {Limits::quiet_NaN(), infinity, -infinity});
    return others;
  }
  const auto wide = static_cast<std::uint64_t>(value); // wraps, and does not overflow
  std::vector<T> others;
  for (const std::uint64_t other :
       {wide + 1, wide - 1, std::uint64_t(value / 2), 2 * wide, std::uint64_t(0), std::uint64_t(1)})
    others.push_back(static_cast<T>(other));
  if (std::is_signed_v<T>)
    others.insert(others.end(), {static_cast<T>(0 - wide), static_cast<T>(-1), std::numeric_limits<T>::min()});
  return others;
}

/// Returns the largest number of an integer type of at most two bytes: a short cut for it, such as an opaque alpha, is
/// a usual one.
std::vector<std::int64_t> largestOf(const GlueParameter &parameter) {
  std::vector<std::int64_t> largest;
  withElementType(parameter.element, parameter.size, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 2)
      largest.push_back(std::numeric_limits<T>::max());
  });
  return largest;
}

class Variation {
public:
  explicit Variation(const VariationRequest &request)
      : request_(request), rules_(*request.contract), literals_(comparedLiterals(*request.contract, request.text)) {}

  std::vector<PlannedCall> run() {
    base_ = largestCheap();
    if (!base_)
      return {};
    std::vector<std::vector<PlannedCall>> all;
    for (std::size_t i = 0; i < base_->call.arguments.size(); ++i)
      all.push_back(ofScalar(i));
    all.push_back(ofRangesTogether());
    all.push_back(ofRangesAlone());
    std::vector<PlannedCall> result = always();
    const std::size_t longest = std::ranges::max(all, {}, &std::vector<PlannedCall>::size).size();
    const std::size_t most = result.size() + request_.most;
    for (std::size_t round = 0; round < longest; ++round)
      for (std::vector<PlannedCall> &one : all)
        if (round < one.size() && result.size() < most)
          add(result, std::move(one[round]));
    return result;
  }

private:
  std::vector<PlannedCall> always() const {
    std::vector<PlannedCall> calls;
    for (std::size_t i = 0; i < base_->call.arguments.size(); ++i) {
      addNull(calls, i);
      if (isVariedScalar(i))
        for (const std::int64_t number :
             tellingNumbers(literals_, (*request_.parameters)[i], largestOf((*request_.parameters)[i]))) {
          PlannedCall call = copy(i);
          withElementType((*request_.parameters)[i].element, (*request_.parameters)[i].size,
                          [&]<class T>(T) { call.call.arguments[i].bytes = bytesOfNumber(static_cast<T>(number)); });
          add(calls, std::move(call));
        }
    }
    if (calls.size() > kMostAlways)
      calls.erase(calls.begin() + kMostAlways, calls.end());
    for (PlannedCall &call : calls)
      call.mostSteps = kStepsOfAlways;
    return calls;
  }

  /// A pointer may be optional. A baseline that does not ask does not survive it; but it may leave it alone by chance
  /// where its elements are declared, and a candidate may then read them.
  void addNull(std::vector<PlannedCall> &calls, std::size_t index) const {
    const GlueParameter &parameter = (*request_.parameters)[index];
    if (extentOf(*request_.contract, parameter.name) && !asksForNull(request_.text, parameter.name))
      return;
    if (parameter.kind != GlueParameter::Kind::Pointer || parameter.isReference ||
        base_->call.arguments[index].bytes.empty())
      return;
    PlannedCall call = copy(index);
    RecordedArgument &argument = call.call.arguments[index];
    argument.header.role = wire::Role::Null;
    argument.header.address = 0;
    argument.bytes.clear();
    add(calls, std::move(call));
  }

  bool isVariedScalar(std::size_t index) const {
    const GlueParameter &parameter = (*request_.parameters)[index];
    const RecordedArgument &argument = base_->call.arguments[index];
    return parameter.kind == GlueParameter::Kind::Scalar && argument.header.role == wire::Role::Value &&
           argument.bytes.size() == parameter.size && !rules_.isSize(parameter.name);
  }

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
    if (!isVariedScalar(index))
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
      for (const T other : othersOf(value, request_.special))
        vary(bytesOfNumber(other));
      if constexpr (std::is_integral_v<T>)
        for (const T other : fartherThan(value))
          vary(bytesOfNumber(other));
    });
    return calls;
  }

  /// It may be the end of a loop.
  template <class T> std::vector<T> fartherThan(T value) const {
    std::vector<T> others;
    for (const std::int64_t more : kFarther)
      if (value > 0 && std::uint64_t(std::numeric_limits<T>::max() - value) >= std::uint64_t(more) &&
          base_->seconds * (1 + double(more) / double(value)) <= kFartherSeconds)
        others.push_back(static_cast<T>(value + static_cast<T>(more)));
    return others;
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

  bool isRange(std::size_t index) const {
    const GlueParameter &parameter = (*request_.parameters)[index];
    return parameter.kind == GlueParameter::Kind::Range && parameter.elementSize > 0;
  }

  std::size_t countOf(std::size_t range) const {
    return base_->call.arguments[range].bytes.size() / (*request_.parameters)[range].elementSize;
  }

  /// Adds a copy in which `ranges` have less elements; the first of them is what varies.
  void shorten(std::vector<PlannedCall> &calls, const std::vector<std::size_t> &ranges, std::size_t count) const {
    PlannedCall call = copy(ranges.front());
    for (const std::size_t i : ranges)
      call.call.arguments[i].bytes.resize(count * (*request_.parameters)[i].elementSize);
    add(calls, std::move(call));
  }

  /// Those that are as long as the first.
  std::vector<PlannedCall> ofRangesTogether() const {
    std::vector<PlannedCall> calls;
    std::vector<std::size_t> ranges;
    for (std::size_t i = 0; i < base_->call.arguments.size(); ++i)
      if (isRange(i) && (ranges.empty() || countOf(i) == countOf(ranges.front())))
        ranges.push_back(i);
    if (ranges.empty())
      return calls;
    const std::size_t count = countOf(ranges.front());
    for (const std::size_t shorter :
         {count - 1, count / 2, std::size_t(17), std::size_t(7), std::size_t(1), std::size_t(0)})
      if (shorter < count)
        shorten(calls, ranges, shorter);
    return calls;
  }

  /// A kernel may take the length of one for that of the other; where the baseline does so, it does not survive these.
  std::vector<PlannedCall> ofRangesAlone() const {
    std::vector<PlannedCall> calls;
    for (std::size_t i = 0; i < base_->call.arguments.size(); ++i)
      if (isRange(i) && countOf(i) > 0)
        for (const std::size_t shorter : {countOf(i) - 1, std::size_t(0)})
          shorten(calls, {i}, shorter);
    return calls;
  }

  const VariationRequest &request_;
  ContractRules rules_;
  ComparedLiterals literals_;
  const PlannedCall *base_ = nullptr;
};

} // namespace

std::vector<PlannedCall> variedCalls(const VariationRequest &request) {
  return Variation(request).run();
}

} // namespace agentic
