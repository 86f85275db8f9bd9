// Memory between guards, and the heap from which containers allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace agentic::runner {

std::size_t pageBytes();

inline std::size_t roundUp(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// [guard | open pages | guard]; the guards are inaccessible.
struct Region {
  char *mapping = nullptr;
  std::size_t mappingBytes = 0;
  char *open = nullptr;
  std::size_t openBytes = 0;
  bool isReadOnly = false;

  bool contains(const char *address) const { return address >= mapping && address < mapping + mappingBytes; }
};

/// Maps a region. `openBytes` must be a multiple of the page size, and may be 0; `wish` is its place, if free. Ends the
/// process if there is no memory.
Region mapRegion(std::size_t openBytes, std::size_t guardBytes, void *wish = nullptr);
void unmapRegion(Region &region);
void protectRegion(Region &region, bool readOnly);

/// While a heap is active on a thread, operator new of this program, and so of glue and kernel, takes every block from
/// it: each in a region of its own, at the end or the beginning of its open pages, aligned as operator new promises.
/// Deleting such a block does nothing; rewind() makes the regions available again, in the same order.
class GuardedHeap {
public:
  struct Block {
    Region region;
    char *address = nullptr;
    std::size_t bytes = 0;
    Block *next = nullptr; ///< links all blocks of all heaps
  };

  GuardedHeap(std::size_t guardBytes, bool isAtBegin) : guardBytes_(guardBytes), isAtBegin_(isAtBegin) {}
  GuardedHeap(const GuardedHeap &) = delete;
  GuardedHeap &operator=(const GuardedHeap &) = delete;
  ~GuardedHeap();

  /// Allocates a block; fills its memory and the bytes around it with the pattern of `seed`.
  void *allocate(std::size_t bytes, std::size_t alignment);
  void rewind(std::uint64_t seed);
  /// Returns the number of blocks given out since the last rewind.
  std::size_t count() const { return count_; }
  Block &block(std::size_t index) { return *blocks_[index]; }
  const Block &block(std::size_t index) const { return *blocks_[index]; }
  std::size_t mappedBytes() const;

  class Active {
  public:
    explicit Active(GuardedHeap &heap);
    Active(const Active &) = delete;
    Active &operator=(const Active &) = delete;
    ~Active();
  };

private:
  std::vector<Block *> blocks_;
  std::size_t count_ = 0;
  std::size_t guardBytes_;
  bool isAtBegin_;
  std::uint64_t seed_ = 0;
};

} // namespace agentic::runner
