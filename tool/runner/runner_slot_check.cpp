// Checks that a call changed only what it may in its slot, and collects its outputs.
#include "tool/runner/runner_slot.h"

#include <algorithm>
#include <cstring>

namespace agentic::runner {
namespace {

struct Interval {
  const char *begin, *end;
};

} // namespace

void Slot::protect() {
  watched_.clear();
  for (const Group &group : call_->groups) {
    Region &region = regions_[group.arguments.front()];
    const bool isRead =
        std::ranges::none_of(group.arguments, [&](std::uint32_t i) { return isWritten(arguments_[i]); });
    protectRegion(region, isRead);
    if (!isRead)
      watch(region, group.arguments);
  }
  for (const Argument &argument : arguments_)
    if (argument.object)
      watchBlocks(argument);
}

/// Watches the memory between and beside the elements that may be written.
void Slot::watch(const Region &region, const std::vector<std::uint32_t> &arguments) {
  std::vector<Interval> written, read;
  for (const std::uint32_t i : arguments) {
    const char *begin = arguments_[i].placed;
    (isWritten(arguments_[i]) ? written : read).push_back({begin, begin + arguments_[i].planned->header.bytes});
  }
  std::ranges::sort(written, {}, &Interval::begin);
  std::vector<Interval> gaps;
  const char *at = region.open, *end = region.open + region.openBytes;
  for (const Interval &one : written) {
    if (one.begin > at)
      gaps.push_back({at, std::min(one.begin, end)});
    at = std::max(at, one.end);
  }
  if (at < end)
    gaps.push_back({at, end});
  // Each gap is cut where an input begins or ends, so that every piece is an input or a margin.
  for (const Interval &gap : gaps) {
    std::vector<const char *> cuts{gap.begin, gap.end};
    for (const Interval &one : read)
      for (const char *cut : {one.begin, one.end})
        if (cut > gap.begin && cut < gap.end)
          cuts.push_back(cut);
    std::ranges::sort(cuts);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      watchBytes(cuts[i], cuts[i + 1], std::ranges::any_of(read, [&](const Interval &one) {
                   return one.begin <= cuts[i] && cuts[i] < one.end;
                 }));
  }
}

/// Watches a range: the kernel may change the object only behind a reference; its elements by their role.
void Slot::watchBlocks(const Argument &argument) {
  for (std::size_t b = argument.firstBlock; b < argument.firstBlock + argument.blockCount; ++b) {
    GuardedHeap::Block &block = heap_.block(b);
    const bool isWritable = isWritten(argument) && (b > argument.firstBlock || argument.parameter->isReference);
    protectRegion(block.region, !isWritable);
    if (!isWritable)
      continue;
    watchBytes(block.region.open, block.address, false);
    watchBytes(block.address + block.bytes, block.region.open + block.region.openBytes, false);
  }
}

void Slot::watchBytes(const char *begin, const char *end, bool isInput) {
  if (begin < end)
    watched_.push_back({begin, {begin, end}, isInput});
}

std::uint32_t Slot::check() const {
  std::uint32_t bits = 0;
  for (const Watched &one : watched_)
    if (std::memcmp(one.address, one.before.data(), one.before.size()) != 0)
      bits |= one.isInput ? wire::kInputs : wire::kMargins;
  return bits;
}

std::vector<Region *> Slot::outputRegions() {
  std::vector<Region *> regions;
  for (const Group &group : call_->groups)
    if (std::ranges::all_of(group.arguments, [&](std::uint32_t i) {
          return arguments_[i].role == wire::Role::Out && !arguments_[i].object;
        }))
      regions.push_back(&regions_[group.arguments.front()]);
  return regions;
}

std::vector<Span> Slot::outputs() const {
  std::vector<Span> spans;
  for (const Argument &argument : arguments_) {
    if (!isWritten(argument))
      continue;
    if (!argument.object) {
      spans.push_back({argument.placed, argument.planned->header.bytes});
      continue;
    }
    const void *elements = nullptr;
    unsigned long count = 0;
    argument.parameter->view(argument.object, &elements, &count);
    // A size that no memory can have is a broken object: only the elements that it had can be shown.
    const std::size_t bytes = count > PTRDIFF_MAX / argument.parameter->elementSize
                                  ? argument.planned->header.bytes
                                  : count * argument.parameter->elementSize;
    spans.push_back({static_cast<const char *>(elements), bytes});
  }
  return spans;
}

void Slot::seal() {
  // Save the places that the next step on this slot may look up.
  for (const Argument &argument : arguments_) {
    if (!argument.isContainer || !isWritten(argument))
      continue;
    const void *elements = nullptr;
    unsigned long count = 0;
    argument.parameter->view(argument.object, &elements, &count);
    if (count * argument.parameter->elementSize == argument.planned->header.bytes)
      std::memcpy(argument.placed, elements, argument.planned->header.bytes);
  }
  sealed_ = hash();
  isSealed_ = true;
}

bool Slot::hasChanged() const {
  return isSealed_ && hash() != sealed_;
}

std::uint64_t Slot::hash() const {
  std::uint64_t sum = 0;
  for (const auto &[first, region] : regions_)
    sum = sum * 3 + wire::hashBytes(region.open, region.openBytes);
  for (std::size_t i = 0; i < heap_.count(); ++i)
    sum = sum * 3 + wire::hashBytes(heap_.block(i).region.open, heap_.block(i).region.openBytes);
  return sum;
}

} // namespace agentic::runner
