// The memory that a call of a kernel may read or change, when its types do not tell: the arguments' memory, the heap
// blocks reachable from it, then all other blocks, static data and the callers' stack.
#pragma once

#include "tool/runner/glue_abi.h"
#include "tool/runner/recorder_heap.h"
#include "tool/runner/wire_comparison.h"

#include <cstddef>
#include <cstdint>

namespace agentic::recorder {

/// A call in progress.
struct PendingCall {
  const agentic_glue *glue;
  void *function;
  void *const *arguments;
  void *result;
  std::uint64_t sequence;
  int error;                     ///< errno
  std::uint32_t changed = 0;     ///< input elements that an audit changed for this call
  std::uint32_t overwritten = 0; ///< bytes of its outputs that an audit overwrote
};

struct SeenRegion {
  wire::RegionKind kind;
  std::int32_t parameter;
  std::uintptr_t address;
  std::size_t size;
  HeapBlock block; ///< its heap block, which can be gone after the call; address 0: none
  std::size_t at;  ///< its offset in a copy of all regions one after the other, each padded to 8
};

/// All regions before a call. At most 64 MiB, the arguments' own first. Uses memory of its own, no allocator; one at a
/// time. Cost: a few ms, and a look at every reachable word.
class Regions {
public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// Returns false if there is no memory for the lists.
  bool find(const PendingCall &call);

  const SeenRegion *begin() const { return regions_; }
  const SeenRegion *end() const { return regions_ + count_; }
  std::size_t count() const { return count_; }
  std::size_t bytes() const { return bytes_; } ///< size of a copy
  bool isPartial() const { return isPartial_; }

private:
  struct Known {
    HeapBlock block;
    std::int32_t parameter;
    bool isReached;
  };

  void addArgument(const PendingCall &call, unsigned index);
  void addStatic(const PendingCall &call);
  void addStack(const PendingCall &call);
  /// Returns whether there was room for the region.
  bool add(wire::RegionKind kind, std::int32_t parameter, const void *address, std::size_t size);
  void reach(const void *memory, std::size_t size, std::int32_t parameter);
  void reachAll();
  Known *knownAt(std::uintptr_t address);

  SeenRegion *regions_ = nullptr;
  Known *known_ = nullptr;
  std::uint32_t *queue_ = nullptr;
  std::size_t count_ = 0, bytes_ = 0, knownCount_ = 0, queued_ = 0;
  bool isPartial_ = false;
};

/// The only one of a process: its lists take 100 MB of address space.
Regions &theRegions();

} // namespace agentic::recorder
