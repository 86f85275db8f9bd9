#include "tool/evaluate/differential/generated_calls.h"

#include "tool/evaluate/differential/call_builder.h"
#include "tool/evaluate/differential/call_values.h"
#include "tool/evaluate/differential/compared_literals.h"
#include "tool/evaluate/differential/contents.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <utility>

namespace agentic {
namespace {

constexpr int kTriesPerCall = 400;
constexpr std::size_t kLargest = 16u << 20; // in a first round: larger calls cost more than they show

constexpr Content kUsual[] = {Content::Rotated, Content::Mixed,      Content::EqualEnds, Content::Ascending,
                              Content::Special, Content::Descending, Content::Constant};
/// Limit of contents that matter only to kernels of some types; each is tried once.
constexpr std::size_t kLargestOfSome = 256u << 10;

/// Of overlaps, in elements: of the second argument behind the first. What a variant may get wrong must not depend on
/// the seed, so these always have their turn first, then half of the array, both ways.
constexpr std::ptrdiff_t kAlways[] = {1, -1, 0, 8, -8};
constexpr std::ptrdiff_t kAboutAVector[] = {15, -15, 16, -16}; // where turns are fixed
constexpr std::ptrdiff_t kInTurn[] = {16, -16, 2, -2, 31, -31, 4, -4, 64, -64, 3, -3, 15, -15, 7, -7, 32, -32};

/// Of calls with fixed turns: a few steps of a small call show what they can.
constexpr std::size_t kLargestTurn = 64u << 10, kLargestLonger = 1u << 20, kMostSizeTurns = 32;
constexpr std::size_t kStepsOfTurn = 4, kStepsOfLonger = 2;
constexpr std::size_t kLeastGrowth = 16; ///< of a longer call

class Generator {
public:
  explicit Generator(const GenerationRequest &request)
      : request_(request), rules_(*request.contract), random_(request.seed), builder_(request, random_) {}

  GeneratedCalls run() {
    GeneratedCalls result;
    result.none = prepare();
    if (!result.none.empty())
      return result;
    if (request_.hasFixedTurns)
      addFixedTurns(result.calls);
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
    if (std::string problem = builder_.prepare(); !problem.empty())
      return problem;
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
    if (std::ranges::any_of(*request_.parameters,
                            [&](const GlueParameter &one) { return builder_.isComparedScalar(one); }))
      inTurn_.push_back(Content::Scalar);
    if (request_.specialValues && std::ranges::any_of(*request_.parameters, isElement))
      inTurn_.insert(inTurn_.end(), {Content::OneNan, Content::OneInfinity, Content::Denormals});
  }
  int kinds() const { return static_cast<int>(inTurn_.size()); }

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
        if (std::optional<PlannedCall> call = builder_.build(base, values, contentFor(number),
                                                             isFirstRound(number) ? kLargest : request_.byteLimit)) {
          if (isOverlapping(number) && i < kTriesPerCall / 2 && !overlap(call->call, std::nullopt))
            continue; // it is shorter than the distance
          if (payloadBytes(call->call) == 0 && std::exchange(hasEmpty_, true))
            continue; // one of these shows all that they can
          if (!call->isCheap() && isWild(contentFor(number)))
            continue;
          overlaps_ += isOverlapping(number) ? 1 : 0;
          return call;
        }
    }
    return std::nullopt;
  }

  void addFixedTurns(std::vector<PlannedCall> &calls) {
    if (const PlannedCall *base = largestWithin(kLargestTurn)) {
      addSizes(*base, calls);
      addOverlaps(*base, calls);
    }
    addLonger(calls);
  }

  /// Returns the largest cheap call of at most `bytes`; if there is none, the smallest cheap one.
  const PlannedCall *largestWithin(std::size_t bytes) const {
    const PlannedCall &best = *std::ranges::max_element(*request_.recorded, {}, [&](const PlannedCall &call) {
      const double size = double(payloadBytes(call.call)), worst = -std::numeric_limits<double>::max();
      return !call.isCheap() ? worst : size <= double(bytes) ? size : -size;
    });
    return best.isCheap() ? &best : nullptr;
  }

  void addSizes(const PlannedCall &base, std::vector<PlannedCall> &calls) {
    const ComparedLiterals literals = comparedLiterals(*request_.contract, request_.text);
    std::size_t turns = 0;
    for (const GlueParameter &parameter : *request_.parameters) {
      CallValues values = valuesOf(base.call, *request_.parameters);
      const auto size = values.find(parameter.name);
      if (size == values.end() || !rules_.isSize(parameter.name))
        continue;
      const double recorded = size->second;
      for (const std::int64_t number : tellingNumbers(literals, parameter, {0, 1})) {
        size->second = double(number);
        if (turns < kMostSizeTurns && size->second != recorded && addTurn(base, values, kLargestLonger, calls))
          ++turns;
      }
    }
  }

  /// False: the contract forbids it, or it would be large or take long.
  bool addTurn(const PlannedCall &base, const CallValues &values, std::size_t limit, std::vector<PlannedCall> &calls) {
    std::optional<PlannedCall> call =
        rules_.isLegal(values) ? builder_.build(base, values, Content::Rotated, limit) : std::nullopt;
    if (!call || !call->isCheap() || (payloadBytes(call->call) == 0 && std::exchange(hasEmpty_, true)))
      return false;
    call->mostSteps = kStepsOfTurn;
    calls.push_back(std::move(*call));
    return true;
  }

  void addOverlaps(const PlannedCall &base, std::vector<PlannedCall> &calls) {
    if (request_.contract->mayAlias.empty())
      return;
    std::vector<std::ptrdiff_t> distances(std::begin(kAlways), std::end(kAlways));
    distances.insert(distances.end(), std::begin(kAboutAVector), std::end(kAboutAVector));
    const CallValues values = valuesOf(base.call, *request_.parameters);
    for (const std::ptrdiff_t distance : distances)
      if (addTurn(base, values, request_.byteLimit, calls) && !overlap(calls.back().call, distance))
        calls.pop_back();
    overlaps_ = std::size(kAlways);
  }

  /// A narrow sum overflows in long arrays only. Time may grow with the square.
  void addLonger(std::vector<PlannedCall> &calls) {
    const PlannedCall *base = largestWithin(kLargestLonger / kLeastGrowth);
    const auto isScaled = [&](const GlueParameter &parameter) {
      return parameter.kind == GlueParameter::Kind::Scalar && rules_.isSize(parameter.name);
    };
    const std::size_t limit =
        kLargestLonger /
        std::size_t(std::max<std::ptrdiff_t>(1, std::ranges::count_if(*request_.parameters, isScaled)));
    for (const GlueParameter &parameter : *request_.parameters)
      for (std::size_t growth = kLeastGrowth + below(kLeastGrowth + 1); base && isScaled(parameter) && growth > 1;
           growth /= 2) {
        CallValues values = valuesOf(base->call, *request_.parameters);
        const auto size = values.find(parameter.name);
        if (size == values.end())
          break;
        size->second *= double(growth);
        if (base->seconds * double(growth * growth) > kCheapCall || !addTurn(*base, values, limit, calls))
          continue;
        calls.back().mostSteps = kStepsOfLonger;
        calls.back().wantsExtremes = true;
        break;
      }
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

  static bool isOfSome(Content content) { return std::ranges::find(kUsual, content) == std::end(kUsual); }
  static bool isWild(Content content) {
    return content == Content::Special || content == Content::Mixed || isOfSome(content);
  }

  Content contentFor(int number) const {
    if (request_.isNeighbour)
      return Content::Recorded; // two equal texts stay equal, so that the work is alike
    const Content content = inTurn_[static_cast<std::size_t>(number % kinds())];
    const bool isPermitted = request_.specialValues || request_.extremes || isOfSome(content);
    return isWild(content) && !isPermitted ? Content::Rotated : content;
  }

  bool isOverlapping(int number) const {
    return number % 3 == 2 && !request_.contract->mayAlias.empty() && !request_.isNeighbour && !isFirstRound(number);
  }

  /// Makes arguments that may alias overlap: at the same place, or some elements before or behind it. Each distance has
  /// its turn: a vector's width, a few more or fewer, and half of the array break different assumptions. False: none is
  /// long enough for this distance.
  bool overlap(RecordedCall &call, std::optional<std::ptrdiff_t> fixed) const {
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
      const std::ptrdiff_t distance =
          fixed ? *fixed : distanceFor(std::ptrdiff_t(std::min(a.bytes.size(), b.bytes.size()) / size));
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
  CallBuilder builder_;
  bool hasEmpty_ = false;
  std::size_t overlaps_ = 0;    ///< calls that overlap so far
  std::vector<Content> inTurn_; ///< kinds of contents
};

} // namespace

GeneratedCalls generateCalls(const GenerationRequest &request) {
  return Generator(request).run();
}

} // namespace agentic
