#include "tool/runner/recorder_heap.h"

#include "tool/runner/wire_comparison.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

namespace agentic::recorder {
namespace {

constexpr std::size_t kShards = 64, kSlots = 16384, kProbes = 32;

/// Marks a block's size: it was allocated while fresh blocks are marked.
constexpr std::size_t kFreshMark = std::size_t{1} << 63;

struct Block {
  std::uintptr_t address; ///< 0: free
  std::size_t size;       ///< with kFreshMark
  std::size_t bytes() const { return size & ~kFreshMark; }
};
std::atomic<bool> isMarking;

struct Shard {
  std::atomic<bool> locked;
  Block blocks[kSlots];
};
Shard shards[kShards]; // zeroed by the loader, before any constructor

class ShardLock {
public:
  explicit ShardLock(Shard &shard) : shard_(shard) {
    while (shard_.locked.exchange(true, std::memory_order_acquire))
      ::sched_yield();
  }
  ~ShardLock() { shard_.locked.store(false, std::memory_order_release); }
  ShardLock(const ShardLock &) = delete;
  ShardLock &operator=(const ShardLock &) = delete;

private:
  Shard &shard_;
};

std::uint64_t hashOf(std::uintptr_t address) {
  return (address >> 4) * 0x9e3779b97f4a7c15u;
}

/// Returns the slot of this address, else a free slot where it may be stored if `orFree`; null if there is none.
Block *find(Shard &shard, std::uint64_t hash, std::uintptr_t address, bool orFree) {
  Block *free = nullptr;
  for (std::size_t i = 0; i < kProbes; ++i) {
    Block &block = shard.blocks[((hash >> 16) + i) % kSlots];
    if (block.address == address)
      return &block;
    if (orFree && !free && block.address == 0)
      free = &block;
  }
  return free;
}

void remember(const void *pointer, std::size_t size) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!address)
    return;
  const std::uint64_t hash = hashOf(address);
  Shard &shard = shards[hash >> 58];
  const ShardLock lock(shard);
  if (Block *block = find(shard, hash, address, true))
    *block = {address, isMarking.load(std::memory_order_relaxed) ? size | kFreshMark : size};
}

/// Forgets a block and returns its size; 0 if it was not known.
std::size_t forget(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!address)
    return 0;
  const std::uint64_t hash = hashOf(address);
  Shard &shard = shards[hash >> 58];
  const ShardLock lock(shard);
  Block *block = find(shard, hash, address, false);
  if (!block)
    return 0;
  block->address = 0;
  return block->bytes();
}

struct Real {
  void *(*malloc)(std::size_t);
  void *(*calloc)(std::size_t, std::size_t);
  void *(*realloc)(void *, std::size_t);
  void (*free)(void *);
  void *(*aligned_alloc)(std::size_t, std::size_t);
  int (*posix_memalign)(void **, std::size_t, std::size_t);
  void *(*memalign)(std::size_t, std::size_t);
};
Real real;
std::atomic<int> realState; ///< 0 unknown, 1 being looked up, 2 known

// dlsym allocates; the arena serves it while it looks for the real functions.
alignas(16) char arena[64 << 10];
std::atomic<std::size_t> arenaUsed;

void *arenaAllocate(std::size_t size) {
  const std::size_t rounded = (size + 31) / 16 * 16; // the size is stored in front
  const std::size_t at = arenaUsed.fetch_add(rounded);
  if (size > sizeof arena || at + rounded > sizeof arena)
    return nullptr;
  std::memcpy(arena + at, &size, sizeof size);
  return arena + at + 16;
}

bool isInArena(const void *pointer) {
  return pointer >= static_cast<const void *>(arena) && pointer < static_cast<const void *>(arena + sizeof arena);
}

template <class F> void lookUp(F &function, const char *name) {
  void *found = ::dlsym(RTLD_NEXT, name);
  std::memcpy(&function, &found, sizeof found);
}

/// Returns whether the real functions are known; false only while they are being looked up.
bool isReady() {
  if (realState.load(std::memory_order_acquire) == 2)
    return true;
  int expected = 0;
  if (!realState.compare_exchange_strong(expected, 1))
    return expected == 2;
  lookUp(real.malloc, "malloc");
  lookUp(real.calloc, "calloc");
  lookUp(real.realloc, "realloc");
  lookUp(real.free, "free");
  lookUp(real.aligned_alloc, "aligned_alloc");
  lookUp(real.posix_memalign, "posix_memalign");
  lookUp(real.memalign, "memalign");
  realState.store(2, std::memory_order_release);
  return true;
}

void *known(void *pointer, std::size_t size) {
  remember(pointer, size);
  return pointer;
}

/// Marks the bytes from `from` on as unset.
void *fresh(void *pointer, std::size_t size, std::size_t from = 0) {
  if (pointer && from < size && isMarking.load(std::memory_order_relaxed))
    std::memset(static_cast<char *>(pointer) + from, wire::kFreshByte, size - from);
  return pointer;
}

} // namespace

std::size_t heapRest(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  for (Shard &shard : shards) {
    const ShardLock lock(shard);
    for (const Block &block : shard.blocks)
      if (block.address && address - block.address < block.bytes())
        return block.bytes() - (address - block.address);
  }
  return 0;
}

std::size_t heapBlocks(HeapBlock *blocks, std::size_t most, bool onlyFresh) {
  std::size_t count = 0;
  for (Shard &shard : shards) {
    const ShardLock lock(shard);
    for (const Block &block : shard.blocks)
      if (block.address && (!onlyFresh || (block.size & kFreshMark)) && count < most)
        blocks[count++] = {block.address, block.bytes()};
  }
  return count;
}

bool isOldBlock(const HeapBlock &wanted) {
  const std::uint64_t hash = hashOf(wanted.address);
  Shard &shard = shards[hash >> 58];
  const ShardLock lock(shard);
  const Block *block = find(shard, hash, wanted.address, false);
  return block && block->size == wanted.size;
}

void markFreshBlocks(bool on) {
  isMarking.store(on);
  if (on) // no earlier mark remains
    return;
  for (Shard &shard : shards) {
    const ShardLock lock(shard);
    for (Block &block : shard.blocks)
      if (block.size & kFreshMark)
        block.size = block.bytes();
  }
}

void resetHeapLocks() {
  for (Shard &shard : shards)
    shard.locked.store(false);
}

} // namespace agentic::recorder

using namespace agentic::recorder;

extern "C" {

__attribute__((visibility("default"))) void *malloc(std::size_t size) {
  return isReady() ? fresh(known(real.malloc(size), size), size) : arenaAllocate(size);
}

__attribute__((visibility("default"))) void *calloc(std::size_t count, std::size_t size) {
  if (isReady())
    return known(real.calloc(count, size), count * size);
  return size && count > sizeof arena / size ? nullptr
                                             : arenaAllocate(count * size); // the arena's memory is still zero
}

__attribute__((visibility("default"))) void free(void *pointer) {
  if (!pointer || isInArena(pointer) || !isReady())
    return;
  forget(pointer); // before another thread gets the same block
  real.free(pointer);
}

__attribute__((visibility("default"))) void *realloc(void *pointer, std::size_t size) {
  if (isInArena(pointer) || !isReady()) {
    void *moved = malloc(size);
    std::size_t old = 0;
    if (pointer)
      std::memcpy(&old, static_cast<char *>(pointer) - 16, sizeof old);
    if (moved && pointer)
      std::memcpy(moved, pointer, old < size ? old : size);
    return moved;
  }
  const std::size_t old = forget(pointer);
  void *moved = real.realloc(pointer, size);
  if (!moved && size > 0)
    remember(pointer, old);
  return fresh(known(moved, size), size, old);
}

__attribute__((visibility("default"))) void *reallocarray(void *pointer, std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(pointer, bytes);
}

__attribute__((visibility("default"))) void *aligned_alloc(std::size_t alignment, std::size_t size) {
  return isReady() ? fresh(known(real.aligned_alloc(alignment, size), size), size) : nullptr;
}

__attribute__((visibility("default"))) void *memalign(std::size_t alignment, std::size_t size) {
  return isReady() ? fresh(known(real.memalign(alignment, size), size), size) : nullptr;
}

__attribute__((visibility("default"))) int posix_memalign(void **pointer, std::size_t alignment, std::size_t size) {
  if (!isReady())
    return ENOMEM;
  const int error = real.posix_memalign(pointer, alignment, size);
  if (error == 0)
    fresh(known(*pointer, size), size);
  return error;
}

__attribute__((visibility("default"))) void *valloc(std::size_t size) {
  return memalign(static_cast<std::size_t>(::getpagesize()), size);
}

} // extern "C"
