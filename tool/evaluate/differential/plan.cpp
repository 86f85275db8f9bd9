#include "tool/evaluate/differential/plan.h"

#include "tool/evaluate/differential/record_reader.h"
#include "tool/evaluate/differential/spliced_contents.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace agentic {
namespace {

constexpr std::uint64_t kGuardBytes = 16u << 20; // an index of some 10^6 floats too many still hits it
constexpr int kTriesForChange = 16;
constexpr std::size_t kLeastSteps = 4; ///< poisoned outputs, a remembered result, the recorded place, other alignments
constexpr std::string_view kOldResults =
    "when the outputs still hold the results for inputs that differ in one element";
constexpr double kContentShare = 0.25;
constexpr double kDearestShare = 0.125; // share of time and memory: a few costly calls must leave room for the others

bool hasElements(const RecordedArgument &argument) {
  return argument.header.role == wire::Role::In || argument.header.role == wire::Role::Out ||
         argument.header.role == wire::Role::InOut;
}

/// Scalars and objects are one element as a whole.
std::size_t elementSizeOf(const GlueParameter &parameter) {
  return std::max<std::size_t>(1, parameter.elementSize > 0 ? parameter.elementSize : parameter.size);
}

class PlanMaker {
public:
  explicit PlanMaker(const PlanRequest &request) : request_(request), random_(request.seed) {}

  Plan run() {
    for (const PlannedCall &call : request_.calls) {
      const std::size_t bytes = payloadBytes(call.call);
      extremes_ = request_.extremes && call.isCheap();
      std::vector<PlanStep> steps = stepsOf(call.call);
      steps.resize(std::min(steps.size(), call.mostSteps));
      std::size_t affordable = steps.size();
      if (request_.byteLimit > 0 && bytes > 0)
        affordable = std::min(affordable, stepsWithin(double(request_.byteLimit), double(bytes_), double(bytes)));
      if (request_.secondsLimit > 0 && call.seconds > 0)
        affordable = std::min(affordable, stepsWithin(request_.secondsLimit, seconds_, call.seconds));
      if (plan_.calls.empty())
        affordable = std::max(affordable, std::min(kLeastSteps, steps.size()));
      else if (affordable < std::min(kLeastSteps, steps.size()))
        continue;
      steps.resize(affordable);
      bytes_ += bytes * steps.size();
      seconds_ += call.seconds * static_cast<double>(steps.size());
      plan_.calls.push_back(call);
      std::ranges::move(steps, std::back_inserter(plan_.steps));
    }
    addOtherContents();
    return std::move(plan_);
  }

private:
  void addOtherContents() {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < plan_.calls.size(); ++i) {
      const PlannedCall &planned = plan_.calls[i];
      if (!planned.isHeldOut && payloadBytes(planned.call) > 0 && planned.isForContents())
        fit.push_back(i);
    }
    // Calls whose contents are all affordable come first, the largest first; then the cheapest.
    const auto steps = static_cast<double>(request_.contentSteps);
    const auto rank = [&](std::size_t i) {
      const PlannedCall &planned = plan_.calls[i];
      const bool isAffordable = request_.secondsLimit == 0 || planned.seconds * steps <= contentSeconds();
      return std::tuple(isAffordable ? 0.0 : planned.seconds, -double(payloadBytes(planned.call)), i);
    };
    std::ranges::sort(fit, {}, rank);
    if (fit.size() > request_.contentCalls)
      fit.resize(request_.contentCalls);
    for (const std::size_t i : fit) {
      addContents(i, splicesFor(i)); // before contents that may be further out of range, see dropStep()
      addContents(i, contentsFor(i));
    }
    if (const std::optional<std::size_t> large = largestForExtremes())
      addContents(*large, extremeContents(plan_.calls[*large].call, *request_.kernel, random_));
    for (std::size_t i = 0; i < plan_.calls.size() && request_.contents.wild; ++i)
      if (plan_.calls[i].wantsExtremes)
        addContents(i, extremeContents(plan_.calls[i].call, *request_.kernel, random_));
  }

  std::optional<std::size_t> largestForExtremes() const {
    std::optional<std::size_t> best;
    const std::size_t most =
        request_.byteLimit > 0 ? std::min(kMostExtremeBytes, request_.byteLimit / 8) : kMostExtremeBytes;
    for (std::size_t i = 0; i < plan_.calls.size() && request_.contents.wild; ++i) {
      const PlannedCall &planned = plan_.calls[i];
      const std::size_t bytes = payloadBytes(planned.call);
      if (!planned.isHeldOut && bytes > kMostContentBytes && bytes <= most && planned.isCheap() &&
          (!best || bytes > payloadBytes(plan_.calls[*best].call)))
        best = i;
    }
    return best;
  }

  double contentSeconds() const {
    return request_.secondsLimit * kContentShare / double(std::max<std::size_t>(1, request_.contentCalls));
  }

  /// Returns how many of `most` contents of a call fit into `seconds` of the baseline's time.
  std::size_t contentsWithin(double seconds, std::size_t most, const PlannedCall &planned) const {
    const bool isLimited = request_.secondsLimit > 0 && planned.seconds > 0;
    return isLimited ? std::min(most, static_cast<std::size_t>(seconds / planned.seconds)) : most;
  }

  std::vector<OtherContents> contentsFor(std::size_t index) {
    const PlannedCall &planned = plan_.calls[index];
    return otherContents(planned.call, *request_.kernel, request_.contents,
                         contentsWithin(contentSeconds(), request_.contentSteps, planned), random_);
  }

  /// They have a quarter of the steps and of the time on top. Short inputs of other calls may be out of range in this
  /// one, so that the trapping build has to approve them.
  std::vector<OtherContents> splicesFor(std::size_t index) {
    if (!request_.contents.wild)
      return {};
    std::vector<const RecordedCall *> recorded;
    for (const PlannedCall &planned : plan_.calls)
      if (!planned.isHeldOut)
        recorded.push_back(&planned.call);
    const PlannedCall &planned = plan_.calls[index];
    return splicedContents(planned.call, *request_.kernel, recorded,
                           contentsWithin(contentSeconds() / 4, request_.contentSteps / 4, planned), random_);
  }

  void addContents(std::size_t index, std::vector<OtherContents> all) {
    for (OtherContents &contents : all) {
      PlanStep step;
      step.header.call = index;
      step.header.slot = static_cast<std::uint32_t>(2 * index);
      step.header.prefill = wire::Prefill::Poison;
      step.header.seed = random_();
      step.circumstance = std::move(contents.circumstance);
      step.patches = std::move(contents.patches);
      step.hasOtherContents = true;
      plan_.steps.push_back(std::move(step));
    }
  }

  /// Returns how many steps of `each` fit into the rest of `limit` and into one call's share of it.
  static std::size_t stepsWithin(double limit, double used, double each) {
    const double left = std::max(0.0, limit - used) / each, share = limit * kDearestShare / each;
    return static_cast<std::size_t>(std::min(left, std::max(share, double(kLeastSteps))));
  }

  std::vector<PlanStep> stepsOf(const RecordedCall &call) {
    const std::uint32_t slot = static_cast<std::uint32_t>(2 * plan_.calls.size());
    std::vector<PlanStep> steps;
    steps.push_back(step(slot, wire::Layout::AtEnd, wire::Prefill::Poison, "when the outputs hold garbage"));
    if (payloadBytes(call) == 0)
      return steps;
    for (int i = 0; i < request_.patchesPerArgument; ++i)
      for (std::size_t argument = 0; argument < call.arguments.size(); ++argument) {
        std::optional<PlanPatch> patch = changedElement(call, argument);
        if (!patch)
          continue;
        steps.push_back(step(slot, wire::Layout::AtEnd, wire::Prefill::Previous, std::string(kOldResults)));
        steps.back().patches.push_back(std::move(*patch));
      }
    // Early, so that costly calls have it, too.
    const auto insert = [&](std::ptrdiff_t at, PlanStep other) {
      other.header.watchOutputs = 1;
      steps.insert(steps.begin() + std::min(at, std::ssize(steps)), std::move(other));
    };
    insert(2, step(slot, wire::Layout::AsRecorded, wire::Prefill::Poison, "when buffers lie as they did there"));
    insert(3, step(slot, wire::Layout::Misaligned, wire::Prefill::Zeros,
                   "when buffers are aligned to their elements only, each in another way, and the outputs hold zeros"));
    // With addresses that these layouts alone have, too: an old result is what a candidate might look for.
    for (const auto &[layout, where] : {std::pair(wire::Layout::AsRecorded, "lie as they did there"),
                                        std::pair(wire::Layout::Misaligned, "are aligned to their elements only")})
      if (std::optional<PlanPatch> patch = anyChangedElement(call)) {
        steps.push_back(
            step(slot, layout, wire::Prefill::Previous, std::string(kOldResults) + ", and buffers " + where));
        steps.back().patches.push_back(std::move(*patch));
      }
    if (std::vector<PlanPatch> rotated = rotatedInputs(call); !rotated.empty()) {
      steps.push_back(step(slot, wire::Layout::AtEnd, wire::Prefill::Poison,
                           "when the same buffers hold other inputs than before"));
      steps.back().patches = std::move(rotated);
    }
    steps.push_back(
        step(slot + 1, wire::Layout::AtEnd, wire::Prefill::Zeros, "when other buffers hold the same inputs"));
    steps.back().header.watchOutputs = 1;
    steps.push_back(step(slot + 1, wire::Layout::AtBegin, wire::Prefill::Poison, "when buffers lie elsewhere"));
    return steps;
  }

  PlanStep step(std::uint32_t slot, wire::Layout layout, wire::Prefill prefill, std::string circumstance) {
    PlanStep step;
    step.header.call = plan_.calls.size();
    step.header.slot = slot;
    step.header.layout = layout;
    step.header.prefill = prefill;
    step.header.seed = random_();
    step.circumstance = std::move(circumstance);
    return step;
  }

  bool isRead(const RecordedArgument &argument) const {
    return argument.header.role == wire::Role::In || argument.header.role == wire::Role::InOut;
  }

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  /// Of an argument that is read; nullopt if nothing can be changed.
  std::optional<PlanPatch> anyChangedElement(const RecordedCall &call) {
    const std::size_t count = call.arguments.size(), first = count > 0 ? below(count) : 0;
    for (std::size_t i = 0; i < count; ++i)
      if (std::optional<PlanPatch> patch = changedElement(call, (first + i) % count))
        return patch;
    return std::nullopt;
  }

  /// Replaces one element by another of the same array: indices stay in range, packed bits stay packed bits. With
  /// extremes, every other integer gets all bits set instead.
  std::optional<PlanPatch> changedElement(const RecordedCall &call, std::size_t index) {
    const RecordedArgument &argument = call.arguments[index];
    if (!isRead(argument))
      return std::nullopt;
    const GlueParameter &parameter = request_.kernel->parameters[index];
    const std::size_t size = elementSizeOf(parameter), count = argument.bytes.size() / size;
    if (count == 0)
      return std::nullopt;
    const bool isInteger =
        parameter.element == GlueParameter::Element::Unsigned || parameter.element == GlueParameter::Element::Signed;
    if (extremes_ && isInteger && below(2) == 0) {
      PlanPatch patch{.argument = index, .offset = below(count) * size, .bytes = {}};
      patch.bytes.assign(size, std::byte{0xff});
      if (std::memcmp(patch.bytes.data(), argument.bytes.data() + patch.offset, size) != 0)
        return patch;
    }
    for (int i = 0; i < kTriesForChange; ++i) {
      const std::size_t target = below(count), source = below(count);
      PlanPatch patch{.argument = index, .offset = target * size, .bytes = {}};
      patch.bytes.assign(argument.bytes.begin() + std::ptrdiff_t(source * size),
                         argument.bytes.begin() + std::ptrdiff_t((source + 1) * size));
      if (std::memcmp(patch.bytes.data(), argument.bytes.data() + patch.offset, size) != 0)
        return patch;
    }
    return changedConstant(argument, parameter, index, below(count));
  }

  /// All elements are the same: half of a number is another number of the same kind.
  std::optional<PlanPatch> changedConstant(const RecordedArgument &argument, const GlueParameter &parameter,
                                           std::size_t index, std::size_t target) const {
    const std::size_t size = elementSizeOf(parameter);
    PlanPatch patch{.argument = index, .offset = target * size, .bytes = {}};
    const std::byte *old = argument.bytes.data() + patch.offset;
    patch.bytes.assign(old, old + size);
    const auto halve = [&]<class T>(T value) {
      std::memcpy(&value, old, sizeof value);
      const T changed = value == 0 ? T(0.5) : value / 2;
      std::memcpy(patch.bytes.data(), &changed, sizeof changed);
    };
    if (parameter.element == GlueParameter::Element::Floating && size == sizeof(float))
      halve(float());
    else if (parameter.element == GlueParameter::Element::Floating && size == sizeof(double))
      halve(double());
    else if (parameter.element == GlueParameter::Element::Unsigned ||
             parameter.element == GlueParameter::Element::Signed)
      patch.bytes[0] ^= std::byte{1};
    else
      return std::nullopt;
    return patch;
  }

  /// Rotates every array that is read by a random number of elements.
  std::vector<PlanPatch> rotatedInputs(const RecordedCall &call) {
    std::vector<PlanPatch> patches;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const RecordedArgument &argument = call.arguments[i];
      const std::size_t size = elementSizeOf(request_.kernel->parameters[i]), count = argument.bytes.size() / size;
      if (!isRead(argument) || count < 2)
        continue;
      PlanPatch patch{.argument = i, .offset = 0, .bytes = argument.bytes};
      std::ranges::rotate(patch.bytes, patch.bytes.begin() + std::ptrdiff_t((1 + below(count - 1)) * size));
      patches.push_back(std::move(patch));
    }
    return patches;
  }

  const PlanRequest &request_;
  std::mt19937_64 random_;
  Plan plan_;
  std::size_t bytes_ = 0;
  double seconds_ = 0;
  bool extremes_ = false; ///< for the present call
};

} // namespace

std::string Plan::bytes(bool roundsUp) const {
  std::string out;
  wire::FileHeader file{.magic = {}, .count = steps.size()};
  std::memcpy(file.magic, wire::kPlanMagic, sizeof file.magic);
  appendPadded(out, &file, sizeof file);
  const wire::PlanHeader header{.callCount = calls.size(), .guardBytes = kGuardBytes, .roundsUp = roundsUp};
  appendPadded(out, &header, sizeof header);
  for (const PlannedCall &planned : calls) {
    std::string arguments;
    for (const RecordedArgument &argument : planned.call.arguments) {
      wire::Argument argumentHeader = argument.header;
      argumentHeader.bytes = argument.bytes.size();
      appendPadded(arguments, &argumentHeader, sizeof argumentHeader);
      appendPadded(arguments, argument.bytes.data(), argument.bytes.size());
    }
    wire::Call call = planned.call.header;
    call.argumentCount = static_cast<std::uint32_t>(planned.call.arguments.size());
    call.resultBytes = 0;
    call.bytes = arguments.size();
    appendPadded(out, &call, sizeof call);
    out += arguments;
  }
  for (const PlanStep &step : steps) {
    wire::Step stepHeader = step.header;
    stepHeader.patchCount = static_cast<std::uint32_t>(step.patches.size());
    appendPadded(out, &stepHeader, sizeof stepHeader);
    for (const PlanPatch &patch : step.patches) {
      const wire::Patch patchHeader{patch.argument, patch.offset, patch.bytes.size()};
      appendPadded(out, &patchHeader, sizeof patchHeader);
      appendPadded(out, patch.bytes.data(), patch.bytes.size());
    }
  }
  return out;
}

Plan makePlan(const PlanRequest &request) {
  return PlanMaker(request).run();
}

int dropStep(Plan &plan, std::size_t index, StepEnd end) {
  const PlanStep failed = plan.steps[index];
  const PlannedCall &call = plan.calls[failed.header.call];
  const std::size_t before = plan.steps.size();
  plan.steps.erase(plan.steps.begin() + std::ptrdiff_t(index));
  const auto isAlike = [&](const PlanStep &step) {
    if (call.isHeldOut && failed.patches.empty() &&
        (step.header.call == failed.header.call ||
         (end == StepEnd::Time && call.varied && plan.calls[step.header.call].varied == call.varied)))
      return true;
    if (step.hasOtherContents != failed.hasOtherContents)
      return false;
    if (failed.hasOtherContents && step.circumstance == failed.circumstance)
      return true;
    return step.patches.size() == 1 && failed.patches.size() == 1 &&
           step.patches[0].argument == failed.patches[0].argument && !(failed.hasOtherContents && end == StepEnd::Trap);
  };
  const auto later = std::ranges::remove_if(plan.steps.begin() + std::ptrdiff_t(index), plan.steps.end(), isAlike);
  plan.steps.erase(later.begin(), later.end());
  return static_cast<int>(before - plan.steps.size());
}

std::vector<OutputField> outputsOf(const RecordedCall &call, const GlueDescription &kernel) {
  std::vector<OutputField> fields;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const RecordedArgument &argument = call.arguments[i];
    if (hasElements(argument) && argument.header.role != wire::Role::In)
      fields.push_back({kernel.parameters[i].name, kernel.parameters[i].element, elementSizeOf(kernel.parameters[i]),
                        argument.bytes.size()});
  }
  if (kernel.result.size > 0)
    fields.push_back({"result", kernel.result.element, elementSizeOf(kernel.result), kernel.result.size});
  return fields;
}

} // namespace agentic
