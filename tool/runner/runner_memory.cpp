#include "tool/runner/runner_memory.h"

#include "tool/runner/runner_fail.h"
#include "tool/runner/runner_pattern.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>

namespace agentic::runner {
namespace {

constexpr std::size_t kNewAlignment = 16; // operator new's promise

// operator new takes no further arguments, and code that does not know the runner calls it.
thread_local GuardedHeap *active = nullptr;
GuardedHeap::Block *allBlocks = nullptr;
const char *lowest = nullptr, *highest = nullptr; ///< bounds of all guarded blocks ever: for quick deletes

bool isGuarded(const void *memory) {
  const char *address = static_cast<const char *>(memory);
  if (address < lowest || address >= highest)
    return false;
  for (const GuardedHeap::Block *block = allBlocks; block; block = block->next)
    if (block->region.contains(address))
      return true;
  return false;
}

/// AddressSanitizer's functions, if its runtime is in the process.
struct Shadow {
  using Mark = void (*)(const volatile void *, std::size_t); ///< nullptr: there is no such runtime
  static Mark find(const char *name) { return reinterpret_cast<Mark>(::dlsym(RTLD_DEFAULT, name)); }
  Mark poison = find("__asan_poison_memory_region"), unpoison = find("__asan_unpoison_memory_region");
};

const Shadow &shadow() {
  static const Shadow found;
  return found;
}

/// Marks what of the guards is close to the open pages. They are inaccessible, but a compiler may leave out a read
/// whose value nobody uses: what AddressSanitizer put before it then asks the shadow alone. An eighth of all guards
/// would be written for each buffer, which took two thirds of the time of sanitized calls.
void markGuards(const Region &region, Shadow::Mark mark) {
  constexpr std::size_t kMost = 1u << 20;
  if (!mark || !region.mapping)
    return;
  const char *end = region.open + region.openBytes;
  const auto before = std::min(kMost, static_cast<std::size_t>(region.open - region.mapping));
  mark(region.open - before, before);
  mark(end, std::min(kMost, static_cast<std::size_t>(region.mapping + region.mappingBytes - end)));
}

void *allocate(std::size_t bytes, std::size_t alignment) {
  if (GuardedHeap *heap = active) {
    active = nullptr; // the heap's own lists are ordinary memory
    void *memory = heap->allocate(bytes, alignment);
    active = heap;
    return memory;
  }
  return alignment <= kNewAlignment ? std::malloc(bytes ? bytes : 1)
                                    : std::aligned_alloc(alignment, roundUp(bytes ? bytes : 1, alignment));
}

void *allocateOrEnd(std::size_t bytes, std::size_t alignment) {
  void *memory = allocate(bytes, alignment);
  if (!memory)
    fail(kNoResources, "no memory for %zu bytes that the kernel or the runner asked for", bytes);
  return memory;
}

void release(void *memory) {
  if (memory && !isGuarded(memory))
    std::free(memory);
}

} // namespace

std::size_t pageBytes() {
  static const std::size_t bytes = static_cast<std::size_t>(::getpagesize());
  return bytes;
}

Region mapRegion(std::size_t openBytes, std::size_t guardBytes, void *wish) {
  const std::size_t guard = roundUp(guardBytes ? guardBytes : 1, pageBytes());
  Region region;
  region.mappingBytes = openBytes + 2 * guard;
  void *mapping = ::mmap(wish, region.mappingBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    fail(kNoResources, "no address space for a buffer of %zu bytes between guards of %zu bytes", openBytes, guard);
  region.mapping = static_cast<char *>(mapping);
  region.open = region.mapping + guard;
  region.openBytes = openBytes;
  if (openBytes > 0 && ::mprotect(region.open, openBytes, PROT_READ | PROT_WRITE) != 0)
    fail(kNoResources, "no memory for a buffer of %zu bytes", openBytes);
  markGuards(region, shadow().poison);
  return region;
}

void unmapRegion(Region &region) {
  if (region.mapping) {
    markGuards(region, shadow().unpoison); // the next owner of these addresses does not know
    ::munmap(region.mapping, region.mappingBytes);
  }
  region = Region();
}

void protectRegion(Region &region, bool readOnly) {
  if (region.openBytes == 0 || region.isReadOnly == readOnly)
    return;
  if (::mprotect(region.open, region.openBytes, readOnly ? PROT_READ : PROT_READ | PROT_WRITE) != 0)
    fail(kNoResources, "the protection of a buffer of %zu bytes cannot be changed", region.openBytes);
  region.isReadOnly = readOnly;
}

GuardedHeap::~GuardedHeap() {
  for (Block *block : blocks_) {
    for (Block **link = &allBlocks; *link; link = &(*link)->next)
      if (*link == block) {
        *link = block->next;
        break;
      }
    unmapRegion(block->region);
    delete block;
  }
}

void GuardedHeap::rewind(std::uint64_t seed) {
  count_ = 0;
  seed_ = seed;
}

std::size_t GuardedHeap::mappedBytes() const {
  std::size_t bytes = 0;
  for (const Block *block : blocks_)
    bytes += block->region.mappingBytes;
  return bytes;
}

void *GuardedHeap::allocate(std::size_t bytes, std::size_t alignment) {
  alignment = alignment < kNewAlignment ? kNewAlignment : alignment;
  if (alignment > pageBytes() || bytes > PTRDIFF_MAX - 2 * guardBytes_ - 4 * pageBytes())
    fail(kNoResources, "no guarded memory for %zu bytes aligned to %zu", bytes, alignment);
  const std::size_t openBytes = roundUp(bytes, pageBytes());
  if (count_ == blocks_.size()) {
    blocks_.push_back(new Block);
    blocks_.back()->next = allBlocks;
    allBlocks = blocks_.back();
  }
  Block &block = *blocks_[count_++];
  if (!block.region.mapping || block.region.openBytes != openBytes) {
    unmapRegion(block.region);
    block.region = mapRegion(openBytes, guardBytes_);
    lowest = !lowest || block.region.mapping < lowest ? block.region.mapping : lowest;
    highest = std::max<const char *>(highest, block.region.mapping + block.region.mappingBytes);
  }
  protectRegion(block.region, false);
  fillPattern(block.region.open, openBytes, seed_ + count_);
  block.bytes = bytes;
  block.address = block.region.open + (isAtBegin_ ? 0 : openBytes - roundUp(bytes, alignment));
  return block.address;
}

GuardedHeap::Active::Active(GuardedHeap &heap) {
  active = &heap;
}

GuardedHeap::Active::~Active() {
  active = nullptr;
}

} // namespace agentic::runner

using agentic::runner::kNewAlignment;

// Exported to the glue and the kernel: their containers allocate here.
void *operator new(std::size_t bytes) {
  return agentic::runner::allocateOrEnd(bytes, kNewAlignment);
}
void *operator new[](std::size_t bytes) {
  return agentic::runner::allocateOrEnd(bytes, kNewAlignment);
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return agentic::runner::allocate(bytes, kNewAlignment);
}
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
  return agentic::runner::allocate(bytes, kNewAlignment);
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return agentic::runner::allocateOrEnd(bytes, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return agentic::runner::allocateOrEnd(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept {
  agentic::runner::release(memory);
}
void operator delete[](void *memory) noexcept {
  agentic::runner::release(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
  agentic::runner::release(memory);
}
void operator delete[](void *memory, std::size_t) noexcept {
  agentic::runner::release(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
  agentic::runner::release(memory);
}
void operator delete[](void *memory, std::align_val_t) noexcept {
  agentic::runner::release(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  agentic::runner::release(memory);
}
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept {
  agentic::runner::release(memory);
}
