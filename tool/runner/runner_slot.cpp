#include "tool/runner/runner_slot.h"

#include "tool/runner/runner_fail.h"
#include "tool/runner/runner_memory.h"
#include "tool/runner/runner_pattern.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace agentic::runner {
namespace {

/// A loop that aligns one array must not take the others for aligned, too. Odd: a struct of two numbers is aligned as
/// one, so that a multiple of its size would be aligned for both.
constexpr std::size_t kMisalignments[] = {1, 3, 5};

std::size_t unitBytes(const agentic_parameter &parameter) {
  return parameter.elementSize ? parameter.elementSize : parameter.size;
}

std::size_t unitAlignment(const agentic_parameter &parameter) {
  const std::size_t alignment = parameter.elementSize ? parameter.elementAlignment : parameter.alignment;
  return std::clamp<std::size_t>(alignment, 1, pageBytes());
}

} // namespace

Slot::Slot(const agentic_glue &glue, std::size_t guardBytes, wire::Layout layout)
    : glue_(glue), guardBytes_(guardBytes), layout_(layout), heap_(guardBytes, layout == wire::Layout::AtBegin) {}

Slot::~Slot() {
  endRanges();
  for (auto &[first, region] : regions_)
    unmapRegion(region);
}

void Slot::prepare(const PlannedCall &call, const PlannedStep &step) {
  endRanges();
  previousPlaces_.clear();
  if (call_)
    for (std::uint32_t i = 0; i < arguments_.size(); ++i)
      previousPlaces_[i] = arguments_[i].placed;
  isSealed_ = false;
  call_ = &call;
  step_ = &step;
  for (const std::size_t leastAlignment : {std::size_t(1), std::size_t(64), pageBytes()}) {
    endRanges();
    arguments_.assign(glue_.parameterCount, {});
    for (std::uint32_t i = 0; i < arguments_.size(); ++i) {
      arguments_[i].parameter = &glue_.parameters[i];
      arguments_[i].planned = &call.arguments[i];
      arguments_[i].role = call.arguments[i].header.role;
    }
    for (const Group &group : call.groups)
      place(group, leastAlignment);
    fill(false);
    hand();
    if (!glue_.fulfils || glue_.fulfils(handed_.data()))
      break;
  }
}

/// Places the group's arguments; reuses their region if it has the right size.
void Slot::place(const Group &group, std::size_t leastAlignment) {
  std::size_t alignment = layout_ == wire::Layout::AsRecorded ? pageBytes() : leastAlignment;
  for (const std::uint32_t i : group.arguments)
    alignment = std::max(alignment, unitAlignment(glue_.parameters[i]));
  const std::size_t phase = group.bytes ? group.address % alignment : 0;
  const std::uint32_t first = group.arguments.front();
  const std::size_t lead =
      layout_ == wire::Layout::Misaligned ? alignment * kMisalignments[first % std::size(kMisalignments)] : 0;
  const bool isAtEnd = layout_ == wire::Layout::AtEnd;
  std::size_t openBytes = roundUp(group.bytes, pageBytes()), start = 0;
  if (group.bytes && isAtEnd) {
    const std::size_t excess = (openBytes - group.bytes + alignment - phase) % alignment;
    openBytes += openBytes - group.bytes < excess ? pageBytes() : 0;
    start = openBytes - group.bytes - excess;
  } else if (group.bytes) {
    start = phase + lead;
    openBytes = roundUp(start + group.bytes, pageBytes());
  }
  Region &region = regions_[first];
  if (!region.mapping || region.openBytes != openBytes) {
    unmapRegion(region);
    region = mapRegion(openBytes, guardBytes_);
    for (const std::uint32_t i : group.arguments)
      previousPlaces_.erase(i);
  }
  protectRegion(region, false);
  for (const std::uint32_t i : group.arguments) {
    const wire::Argument &header = call_->arguments[i].header;
    arguments_[i].placed = region.open + start + (group.bytes ? header.address - group.address : 0);
    arguments_[i].elements = arguments_[i].placed;
  }
}

bool Slot::isWritten(const Argument &argument) const {
  return argument.role == wire::Role::Out || argument.role == wire::Role::InOut;
}

void Slot::fillOut(std::uint32_t number) {
  const Argument &argument = arguments_[number];
  const std::size_t bytes = argument.planned->header.bytes;
  const auto previous = previousPlaces_.find(number);
  wire::Prefill prefill = step_->header.prefill;
  if (prefill == wire::Prefill::Previous && (previous == previousPlaces_.end() || previous->second != argument.placed))
    prefill = wire::Prefill::Recorded; // there is no previous call with this argument here
  if (prefill == wire::Prefill::Recorded)
    std::memcpy(argument.placed, argument.planned->payload, bytes);
  else if (prefill == wire::Prefill::Zeros)
    std::memset(argument.placed, 0, bytes);
  else if (prefill == wire::Prefill::Poison)
    fillPoison(argument.placed, bytes, argument.parameter->element == AGENTIC_FLOATING, unitBytes(*argument.parameter),
               step_->header.seed + number);
}

/// Fills outputs first, so that the content of inputs wins where arguments overlap.
void Slot::fill(bool onlyWritten) {
  if (!onlyWritten && step_->header.prefill != wire::Prefill::Previous)
    for (auto &[first, region] : regions_) {
      protectRegion(region, false);
      fillPattern(region.open, region.openBytes, step_->header.seed ^ (first + 1));
    }
  for (std::uint32_t i = 0; i < arguments_.size(); ++i)
    if (arguments_[i].role == wire::Role::Out && !onlyWritten)
      fillOut(i);
  for (Argument &argument : arguments_)
    if (argument.placed && argument.role != wire::Role::Out && (!onlyWritten || argument.role == wire::Role::InOut))
      std::memcpy(argument.placed, argument.planned->payload, argument.planned->header.bytes);
  applyPatches(onlyWritten);
}

void Slot::applyPatches(bool onlyWritten) {
  for (const PlannedPatch &patch : step_->patches) {
    const Argument &argument = arguments_[patch.header.argument];
    const bool counts = argument.role == wire::Role::Out
                            ? step_->header.prefill == wire::Prefill::Recorded && !onlyWritten
                            : !onlyWritten || argument.role == wire::Role::InOut;
    if (argument.placed && counts)
      std::memcpy(argument.placed + patch.header.offset, patch.bytes, patch.header.bytes);
  }
}

/// Makes the addresses that the glue takes, and the objects behind them.
void Slot::hand() {
  handed_.assign(arguments_.size() + 1, nullptr);
  values_.assign(arguments_.size(), {});
  heap_.rewind(step_->header.seed);
  for (std::uint32_t i = 0; i < arguments_.size(); ++i) {
    Argument &argument = arguments_[i];
    const agentic_parameter &parameter = *argument.parameter;
    if (parameter.kind == AGENTIC_RANGE) {
      makeRange(argument);
      handed_[i] = argument.object;
    } else if (parameter.kind == AGENTIC_POINTER) {
      values_[i].resize(1);
      std::memcpy(values_[i].data(), &argument.elements, sizeof argument.elements);
      handed_[i] = values_[i].data();
    } else if (argument.placed) {
      handed_[i] = argument.placed;
    } else {
      // The largest alignment that an object by value may have is a page; more room than that costs nothing here.
      values_[i].resize((parameter.size + 2 * unitAlignment(parameter)) / sizeof(std::max_align_t) + 1);
      const std::uintptr_t address =
          roundUp(reinterpret_cast<std::uintptr_t>(values_[i].data()), unitAlignment(parameter));
      char *value = reinterpret_cast<char *>(address);
      std::memcpy(value, argument.planned->payload, parameter.size);
      for (const PlannedPatch &patch : step_->patches)
        if (patch.header.argument == i)
          std::memcpy(value + patch.header.offset, patch.bytes, patch.header.bytes);
      handed_[i] = value;
    }
  }
}

void Slot::makeRange(Argument &argument) {
  const agentic_parameter &parameter = *argument.parameter;
  const std::size_t bytes = argument.planned->header.bytes;
  argument.firstBlock = heap_.count();
  void *storage = heap_.allocate(parameter.size, parameter.alignment);
  {
    const GuardedHeap::Active guarded(heap_);
    parameter.make(storage, argument.placed, bytes / parameter.elementSize);
  }
  argument.object = storage;
  argument.blockCount = heap_.count() - argument.firstBlock;
  const void *elements = nullptr;
  unsigned long count = 0;
  parameter.view(storage, &elements, &count);
  argument.isContainer = count > 0 && elements != argument.placed;
  if (argument.isContainer)
    argument.elements = static_cast<char *>(const_cast<void *>(elements));
  if (count != bytes / parameter.elementSize)
    fail(kBadInput, "the glue made a range of %lu elements where %zu were asked for: '%s' of kernel '%s'", count,
         bytes / parameter.elementSize, parameter.name, glue_.kernel);
}

void Slot::endRanges() {
  for (std::size_t i = 0; i < heap_.count(); ++i)
    protectRegion(heap_.block(i).region, false);
  for (Argument &argument : arguments_)
    if (argument.object) {
      argument.parameter->destroy(argument.object);
      argument.object = nullptr;
    }
}

bool Slot::needsRefill() const {
  return std::ranges::any_of(arguments_, [](const Argument &argument) { return argument.role == wire::Role::InOut; });
}

/// Renews elements alone; a container keeps its memory.
void Slot::refill() {
  fill(true);
  for (Argument &argument : arguments_) {
    if (argument.role != wire::Role::InOut || !argument.isContainer)
      continue;
    const void *elements = nullptr;
    unsigned long count = 0;
    argument.parameter->view(argument.object, &elements, &count);
    if (elements == argument.elements)
      std::memcpy(argument.elements, argument.placed, argument.planned->header.bytes);
  }
}

void Slot::locate(const char *address, std::int64_t &argument, std::int64_t &offset) const {
  const auto claim = [&](std::uint32_t i, const char *elements) {
    const std::int64_t distance = address - elements;
    const auto bytes = static_cast<std::int64_t>(arguments_[i].planned->header.bytes);
    const auto outside = [&](std::int64_t at, std::int64_t size) { return at < 0 ? -at : std::max(at - size + 1, 0L); };
    const auto known = argument < 0 ? 0 : static_cast<std::int64_t>(arguments_[argument].planned->header.bytes);
    if (argument < 0 || outside(distance, bytes) < outside(offset, known)) {
      argument = i;
      offset = distance;
    }
  };
  for (std::uint32_t i = 0; i < arguments_.size(); ++i) {
    const Argument &one = arguments_[i];
    for (std::size_t b = one.firstBlock; b < one.firstBlock + one.blockCount; ++b)
      if (heap_.block(b).region.contains(address))
        claim(i, b > one.firstBlock ? one.elements : heap_.block(b).address);
  }
  for (const Group &group : call_->groups)
    if (const auto region = regions_.find(group.arguments.front());
        region != regions_.end() && region->second.contains(address))
      for (const std::uint32_t i : group.arguments)
        claim(i, arguments_[i].placed);
}

std::size_t Slot::mappedBytes() const {
  std::size_t bytes = heap_.mappedBytes();
  for (const auto &[first, region] : regions_)
    bytes += region.mappingBytes;
  return bytes;
}

} // namespace agentic::runner
