#include "tool/runner/recorder_compare.h"

#include "tool/runner/recorder_call.h"
#include "tool/runner/recorder_side.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace agentic::recorder {
namespace {

constexpr double kLeastPatience = 15, kPatience = 100; ///< for both forks: seconds; multiple of the baseline's time
constexpr std::size_t kMostFreshBlocks = 1 << 16;

Regions &regions = theRegions();
HeapBlock freshBlocks[kMostFreshBlocks];

const void *at(std::uintptr_t address) {
  return reinterpret_cast<const void *>(address);
}

/// The program's own memory after the call.
class Own {
public:
  void look() {
    count_ = heapBlocks(freshBlocks, kMostFreshBlocks, true);
    for (std::size_t i = 0; i < count_; ++i) {
      least_ = std::min(least_, freshBlocks[i].address);
      most_ = std::max(most_, freshBlocks[i].address + freshBlocks[i].size);
    }
  }
  bool isPartial() const { return count_ == kMostFreshBlocks; }
  const HeapBlock *begin() const { return freshBlocks; }
  const HeapBlock *end() const { return freshBlocks + count_; }

  static const void *memory(const SeenRegion &region) {
    return region.block.address == 0 || isOldBlock(region.block) ? at(region.address) : nullptr;
  }
  /// Returns whether an address in this memory can be that of a fresh block.
  bool refersToFresh(const void *memory, std::size_t size) const {
    for (std::size_t i = 0; i + 8 <= size && count_ > 0; i += 8) {
      std::uintptr_t word;
      std::memcpy(&word, static_cast<const char *>(memory) + i, sizeof word);
      if (word >= least_ && word <= most_)
        return true;
    }
    return false;
  }

private:
  std::size_t count_ = 0;
  std::uintptr_t least_ = ~std::uintptr_t{0}, most_ = 0;
};

class Writer {
public:
  Writer(RecordFile &file, wire::Comparison &comparison)
      : file_(file), comparison_(comparison), begin_(file.position()) {
    put(&comparison_, sizeof comparison_);
  }

  void add(const SeenRegion &region, const void *own, const void *candidate, const void *control) {
    const void *sides[] = {own, candidate, control};
    put({region.kind, region.parameter, region.address, region.size, 0, 0}, sides);
  }
  void addFresh(const HeapBlock &block, const void *own, const void *candidate) {
    const void *sides[] = {own, candidate, nullptr};
    put({wire::RegionKind::Fresh, -1, block.address, block.size, 0, 0}, sides);
  }
  /// Returns false if it did not fit; then nothing of it remains.
  bool finish() {
    comparison_.bytes = file_.position() - begin_ - sizeof comparison_;
    isGood_ = isGood_ && file_.rewrite(begin_, &comparison_, sizeof comparison_);
    if (!isGood_)
      file_.rewind(begin_);
    return isGood_;
  }

private:
  void put(wire::Region region, const void *const (&sides)[3]) {
    for (unsigned i = 0; i < 3; ++i)
      region.sides |= sides[i] ? 1u << i : 0;
    put(&region, sizeof region);
    for (const void *side : sides)
      if (side && isGood_)
        isGood_ = file_.appendPadded(side, region.size) == RecordFile::Outcome::Written;
    ++comparison_.regionCount;
  }
  void put(const void *data, std::size_t size) {
    isGood_ = isGood_ && file_.append(data, size) == RecordFile::Outcome::Written;
  }

  RecordFile &file_;
  wire::Comparison &comparison_;
  const std::uint64_t begin_;
  bool isGood_ = true;
};

bool isSame(const void *a, const void *b, std::size_t size) {
  return (!a && !b) || (a && b && std::memcmp(a, b, size) == 0);
}

void writeMemory(Writer &writer, wire::Comparison &comparison, const Side &candidate, const Side &control) {
  Own own;
  own.look();
  comparison.isPartial = regions.isPartial() || own.isPartial() || candidate.isPartial();
  const bool hasControl = comparison.control == wire::Ending::Returned;
  std::size_t index = 0;
  for (const SeenRegion &region : regions) {
    const void *mine = Own::memory(region), *its = candidate.memory(index);
    const void *again = hasControl ? control.memory(index) : nullptr;
    ++index;
    comparison.seenBytes += region.size;
    if (isSame(mine, its, region.size) && (!mine || !own.refersToFresh(mine, region.size)))
      continue;
    writer.add(region, mine, its, isSame(mine, again, region.size) ? nullptr : again);
  }
  for (const HeapBlock &block : own)
    writer.addFresh(block, at(block.address), nullptr);
  std::size_t used = 0, total = candidate.freshBytes();
  while (total - used >= sizeof(FreshBlock)) {
    FreshBlock block;
    std::memcpy(&block, candidate.fresh() + used, sizeof block);
    used += sizeof block;
    if (block.size > total - used || padded(block.size) > total - used)
      break;
    writer.addFresh({block.address, block.size}, nullptr, candidate.fresh() + used);
    used += padded(block.size);
  }
}

/// Call it after the program's own call, or instead of its end.
bool finish(RecordFile &file, const PendingCall &call, wire::Ending reference, double seconds, Forks &forks) {
  forks.wait(std::max(kLeastPatience, kPatience * seconds));
  wire::Comparison comparison;
  comparison.sequence = call.sequence;
  comparison.changed = call.changed;
  comparison.overwritten = call.overwritten;
  comparison.reference = reference;
  comparison.control = forks.control().ending();
  comparison.candidate = forks.candidate().ending();
  comparison.signal = forks.candidate().signal();
  Writer writer(file, comparison);
  if (reference == wire::Ending::Returned && comparison.candidate == wire::Ending::Returned)
    writeMemory(writer, comparison, forks.candidate(), forks.control());
  markFreshBlocks(false);
  return writer.finish() && comparison.candidate == reference;
}

} // namespace

bool compareCall(RecordFile &file, const char *path, const PendingCall &call) {
  if (!regions.find(call)) {
    errno = call.error;
    callThrough(call.glue, call.function, call.arguments, call.result);
    return false;
  }
  Forks forks(regions, call, path);
  markFreshBlocks(true);
  const double start = secondsNow();
  try {
    errno = call.error;
    callThrough(call.glue, call.function, call.arguments, call.result);
  } catch (...) {
    finish(file, call, wire::Ending::Threw, secondsNow() - start, forks);
    throw;
  }
  const int after = errno;
  const bool goesOn = finish(file, call, wire::Ending::Returned, secondsNow() - start, forks);
  errno = after;
  return goesOn;
}

} // namespace agentic::recorder
