#include "tool/evaluate/differential/generated_calls.h"

#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <utility>

namespace agentic {
namespace {

constexpr int kTriesPerCall = 400;
constexpr std::size_t kLargest = 16u << 20;              // in a first round: larger calls cost more than they show
constexpr std::uint64_t kApart = std::uint64_t{1} << 40; ///< arguments of generated calls do not touch each other

constexpr Content kUsual[] = {Content::Rotated, Content::Mixed,      Content::EqualEnds, Content::Ascending,
                              Content::Special, Content::Descending, Content::Constant};
/// Limit of contents that matter only to kernels of some types; each is tried once.
constexpr std::size_t kLargestOfSome = 256u << 10;

/// Of overlaps, in elements: of the second argument behind the first. What a variant may get wrong must not depend on
/// the seed, so these always have their turn first, then half of the array, both ways.
constexpr std::ptrdiff_t kAlways[] = {1, -1, 0, 8, -8};
constexpr std::ptrdiff_t kInTurn[] = {16, -16, 2, -2, 31, -31, 4, -4, 64, -64, 3, -3, 15, -15, 7, -7, 32, -32};

bool isPointer(const GlueParameter &parameter) {
  return parameter.kind == GlueParameter::Kind::Pointer || parameter.kind == GlueParameter::Kind::Range;
}

class Generator {
public:
  explicit Generator(const GenerationRequest &request)
      : request_(request), rules_(*request.contract), random_(request.seed) {}

  GeneratedCalls run() {
    GeneratedCalls result;
    result.none = prepare();
    if (!result.none.empty())
      return result;
    const int calls = isEachKindMade() ? std::max(request_.calls, kinds()) : request_.calls;
    for (int i = 0; i < calls; ++i)
      if (std::optional<PlannedCall> call = generate(i))
        result.calls.push_back(std::move(*call));
    if (result.calls.empty())
      result.none = "no other values of its parameters fulfil the contract's requirements";
    return result;
  }

private:
  /// Empty, or why no call can be made.
  std::string prepare() {
    if (request_.recorded->empty())
      return "no call was recorded";
    for (const GlueParameter &parameter : *request_.parameters) {
      if (parameter.kind == GlueParameter::Kind::Opaque)
        return fmt::format("values of '{}' cannot be made", parameter.name);
      if (parameter.kind != GlueParameter::Kind::Pointer)
        continue;
      const Extent *extent = extentOf(*request_.contract, parameter.name);
      if (!extent)
        return fmt::format("the extent of '{}' is not declared", parameter.name);
      Result<Expression> expression = parseExpression(extent->text);
      if (!expression)
        return fmt::format("the extent of '{}' cannot be computed", parameter.name);
      extents_.emplace(parameter.name, std::move(*expression));
    }
    chooseKinds();
    return {};
  }

  void chooseKinds() {
    inTurn_.assign(std::begin(kUsual), std::end(kUsual));
    if (request_.isNeighbour)
      return;
    const auto isElement = [](const GlueParameter &parameter) {
      return parameter.kind == GlueParameter::Kind::Pointer && parameter.element == GlueParameter::Element::Floating;
    };
    if (std::ranges::any_of(*request_.parameters, [&](const GlueParameter &one) { return isComparedScalar(one); }))
      inTurn_.push_back(Content::Scalar);
    if (request_.specialValues && std::ranges::any_of(*request_.parameters, isElement))
      inTurn_.insert(inTurn_.end(), {Content::OneNan, Content::OneInfinity, Content::Denormals});
  }
  int kinds() const { return static_cast<int>(inTurn_.size()); }

  /// Returns whether it is a number but no size: elements may be compared or combined with it.
  bool isComparedScalar(const GlueParameter &parameter) const {
    return parameter.kind == GlueParameter::Kind::Scalar && !rules_.isSize(parameter.name);
  }

  std::optional<PlannedCall> generate(int number) {
    const bool isLargest = isFirstRound(number);
    const PlannedCall &base =
        isLargest ? largest(contentFor(number)) : (*request_.recorded)[below(request_.recorded->size())];
    for (int i = 0; i < (isLargest ? 1 : kTriesPerCall); ++i) { // the largest call draws no size
      CallValues values = valuesOf(base.call, *request_.parameters);
      for (auto &[name, value] : values)
        if (!isLargest && rules_.isSize(name))
          value = otherSize(value);
      if (rules_.isLegal(values))
        if (std::optional<PlannedCall> call = build(base.call, values, number)) {
          if (isOverlapping(number) && i < kTriesPerCall / 2 && !overlap(call->call))
            continue; // it is shorter than the distance
          if (payloadBytes(call->call) == 0 && std::exchange(hasEmpty_, true))
            continue; // one of these shows all that they can
          const double growth =
              double(payloadBytes(call->call)) / double(std::max<std::size_t>(1, payloadBytes(base.call)));
          call->seconds = base.seconds * growth; // an estimate, so that a plan keeps its time limit
          if (!call->isCheap() && isWild(contentFor(number)))
            continue;
          overlaps_ += isOverlapping(number) ? 1 : 0;
          return call;
        }
    }
    return std::nullopt;
  }

  /// Every kind of contents first comes at a size of the project's own: an overflow of a narrow counter, or a wrong
  /// test for equal ends, does not show in small calls, and must not depend on the seed.
  bool isFirstRound(int number) const { return isEachKindMade() && number < kinds(); }
  bool isEachKindMade() const { return request_.calls >= static_cast<int>(std::size(kUsual)); }

  /// Returns the largest call; for contents that are costly to make or to run, the largest cheap one; the smallest if
  /// none is cheap.
  const PlannedCall &largest(Content content) const {
    const bool mayTakeLong = content == Content::Constant || content == Content::EqualEnds;
    return *std::ranges::max_element(*request_.recorded, {}, [&](const PlannedCall &call) {
      const bool isFit =
          payloadBytes(call.call) <= (isOfSome(content) ? kLargestOfSome : kLargest) && (mayTakeLong || call.isCheap());
      return isFit ? double(payloadBytes(call.call)) : -double(payloadBytes(call.call));
    });
  }

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  /// Returns a tail of a vector loop, a neighbour of a size of the project's own, or half of it.
  double otherSize(double value) {
    switch (below(request_.isNeighbour ? 5 : 7)) {
    case 0:
      return value + 1;
    case 1:
      return std::max(0.0, value - 1);
    case 2:
      return value;
    case 3:
      return std::floor(value / 2);
    case 4:
      return std::floor(value * 3 / 4);
    default:
      return double(below(std::size_t(request_.longestTail) + 1));
    }
  }

  std::optional<PlannedCall> build(const RecordedCall &base, const CallValues &values, int number) {
    PlannedCall planned{
        .call = {.header = base.header, .arguments = {}, .result = {}}, .isHeldOut = true, .origin = "generated"};
    if (!isWithin(isFirstRound(number) ? kLargest : request_.byteLimit, base, values))
      return std::nullopt;
    const Content content = contentFor(number);
    for (std::size_t i = 0; i < base.arguments.size(); ++i) {
      const GlueParameter &parameter = (*request_.parameters)[i];
      RecordedArgument argument = base.arguments[i];
      if (parameter.kind == GlueParameter::Kind::Scalar)
        setScalar(parameter, values, argument.bytes);
      if (parameter.kind == GlueParameter::Kind::Pointer && !setElements(parameter, values, content, argument))
        return std::nullopt;
      if (parameter.kind == GlueParameter::Kind::Range && argument.header.role != wire::Role::Out)
        rotate(argument.bytes, parameter.elementSize);
      if (isPointer(parameter) && argument.header.role != wire::Role::Null)
        argument.header.address = kApart * (i + 1);
      planned.call.arguments.push_back(std::move(argument));
    }
    if (content == Content::EqualEnds)
      makeAlike(planned.call);
    return planned;
  }

  /// Checked before anything is made: it takes minutes to fill and sort buffers that are too large.
  bool isWithin(std::size_t limit, const RecordedCall &base, const CallValues &values) const {
    double total = 0;
    for (std::size_t i = 0; i < base.arguments.size(); ++i) {
      const GlueParameter &parameter = (*request_.parameters)[i];
      const RecordedArgument &argument = base.arguments[i];
      if (parameter.kind != GlueParameter::Kind::Pointer || argument.header.role == wire::Role::Null)
        total += double(argument.bytes.size());
      else if (const std::optional<double> extent = extentIn(parameter, values); extent && *extent >= 0)
        total += *extent * double(std::max<std::size_t>(1, parameter.elementSize));
      else
        return false;
    }
    return total <= double(limit);
  }

  std::optional<double> extentIn(const GlueParameter &parameter, const CallValues &values) const {
    return valueOf(extents_.find(parameter.name)->second, lookupIn(values));
  }

  static bool isOfSome(Content content) { return std::ranges::find(kUsual, content) == std::end(kUsual); }
  static bool isWild(Content content) {
    return content == Content::Special || content == Content::Mixed || isOfSome(content);
  }

  /// Returns the value that elements are compared with, or 0.
  double comparedScalar(const CallValues &values) const {
    for (const GlueParameter &parameter : *request_.parameters)
      if (const auto value = values.find(parameter.name); isComparedScalar(parameter) && value != values.end())
        return value->second;
    return 0;
  }

  Content contentFor(int number) const {
    if (request_.isNeighbour)
      return Content::Rotated;
    const Content content = inTurn_[static_cast<std::size_t>(number % kinds())];
    const bool isPermitted = request_.specialValues || request_.extremes || isOfSome(content);
    return isWild(content) && !isPermitted ? Content::Rotated : content;
  }

  static void setScalar(const GlueParameter &parameter, const CallValues &values, std::vector<std::byte> &bytes) {
    const auto value = values.find(parameter.name);
    if (value == values.end() || parameter.element == GlueParameter::Element::Floating || bytes.size() > 8)
      return;
    const std::int64_t integer = static_cast<std::int64_t>(value->second);
    std::memcpy(bytes.data(), &integer, bytes.size());
  }

  /// False: there are no elements to take.
  bool setElements(const GlueParameter &parameter, const CallValues &values, Content content,
                   RecordedArgument &argument) {
    if (argument.header.role == wire::Role::Null)
      return true;
    const std::size_t size = std::max<std::size_t>(1, parameter.elementSize);
    const std::vector<std::byte> old = std::move(argument.bytes);
    const std::size_t count = std::size_t(*extentIn(parameter, values)), oldCount = old.size() / size;
    argument.bytes.assign(count * size, std::byte{0});
    if (count == 0)
      return true;
    if (oldCount == 0)
      return argument.header.role == wire::Role::Out;
    const std::size_t start = below(oldCount);
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(argument.bytes.data() + i * size,
                  old.data() + (content == Content::Constant ? start : (start + i) % oldCount) * size, size);
    if (argument.header.role != wire::Role::Out)
      arrange(argument.bytes, content,
              {parameter.element, size, request_.specialValues, request_.extremes, comparedScalar(values)}, random_);
    return true;
  }

  void rotate(std::vector<std::byte> &bytes, std::size_t size) {
    if (size > 0 && bytes.size() >= 2 * size)
      std::ranges::rotate(bytes, bytes.begin() + std::ptrdiff_t(below(bytes.size() / size) * size));
  }

  /// Makes inputs of one size agree in their first and last quarter.
  void makeAlike(RecordedCall &call) const {
    const RecordedArgument *model = nullptr;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      RecordedArgument &argument = call.arguments[i];
      if (!isPointer((*request_.parameters)[i]) || argument.header.role != wire::Role::In)
        continue;
      const std::size_t size = std::max<std::size_t>(1, (*request_.parameters)[i].elementSize);
      const std::size_t quarter = argument.bytes.size() / size / 4 * size;
      if (model && model->bytes.size() == argument.bytes.size()) {
        std::memcpy(argument.bytes.data(), model->bytes.data(), quarter);
        std::memcpy(argument.bytes.data() + argument.bytes.size() - quarter,
                    model->bytes.data() + argument.bytes.size() - quarter, quarter);
      }
      model = model ? model : &argument;
    }
  }

  bool isOverlapping(int number) const {
    return number % 3 == 2 && !request_.contract->mayAlias.empty() && !request_.isNeighbour && !isFirstRound(number);
  }

  /// Makes arguments that may alias overlap: at the same place, or some elements before or behind it. Each distance has
  /// its turn: a vector's width, a few more or fewer, and half of the array break different assumptions. False: none is
  /// long enough for this distance.
  bool overlap(RecordedCall &call) const {
    bool isAny = false;
    for (const AliasPair &pair : request_.contract->mayAlias) {
      const auto named = [&](const std::string &name) {
        return std::ranges::find(*request_.parameters, name, &GlueParameter::name) - request_.parameters->begin();
      };
      const std::ptrdiff_t first = named(pair.first), second = named(pair.second);
      if (first >= std::ptrdiff_t(call.arguments.size()) || second >= std::ptrdiff_t(call.arguments.size()))
        continue;
      RecordedArgument &a = call.arguments[std::size_t(first)], &b = call.arguments[std::size_t(second)];
      const std::size_t size = std::max<std::size_t>(1, (*request_.parameters)[std::size_t(first)].elementSize);
      const std::ptrdiff_t distance = distanceFor(std::ptrdiff_t(std::min(a.bytes.size(), b.bytes.size()) / size));
      const std::size_t bytes = std::size_t(std::abs(distance)) * size;
      RecordedArgument &front = distance < 0 ? b : a, &behind = distance < 0 ? a : b;
      behind.header.address = front.header.address + bytes;
      isAny = isAny || (bytes < front.bytes.size() && !behind.bytes.empty());
      for (RecordedArgument *argument : {&a, &b}) // garbage in one would be the other's input
        if (argument->header.role == wire::Role::Out)
          argument->header.role = wire::Role::InOut;
    }
    return isAny;
  }

  std::ptrdiff_t distanceFor(std::ptrdiff_t count) const {
    std::size_t turn = overlaps_;
    if (turn < std::size(kAlways))
      return kAlways[turn];
    turn -= std::size(kAlways);
    if (turn < 2)
      return turn == 0 ? count / 2 : -(count / 2);
    return kInTurn[(request_.seed + turn) % std::size(kInTurn)];
  }

  const GenerationRequest &request_;
  ContractRules rules_;
  std::mt19937_64 random_;
  bool hasEmpty_ = false;
  std::size_t overlaps_ = 0;    ///< calls that overlap so far
  std::vector<Content> inTurn_; ///< kinds of contents
  std::map<std::string, Expression, std::less<>> extents_;
};

} // namespace

GeneratedCalls generateCalls(const GenerationRequest &request) {
  return Generator(request).run();
}

} // namespace agentic
