// The heap blocks of the process that the recorder is loaded into: malloc and its relatives are wrapped and remember
// each block's address and size, so that a pointer without a declared extent has the rest of its block.
//
// Bounded: at most about a million blocks (16 MiB, touched as needed); further ones are not known. 20 to 40 ns per
// allocation. Any thread; usable before main and after fork.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agentic::recorder {

/// Bytes from `pointer` to the end of the block it points into; 0 if it points into none. Milliseconds.
std::size_t heapRest(const void *pointer);

struct HeapBlock {
  std::uintptr_t address;
  std::size_t size;
};

/// Blocks in no order, at most `most`; how many. Some ms.
std::size_t heapBlocks(HeapBlock *blocks, std::size_t most, bool onlyFresh);

/// On: blocks that are allocated from now on are fresh, and filled with wire::kFreshByte unless they come as zeros.
/// Off: none is fresh any more; some ms.
void markFreshBlocks(bool on);

/// Whether it is still there, and not fresh.
bool isOldBlock(const HeapBlock &block);

/// For the child of a fork: locks that other threads held are free again.
void resetHeapLocks();

} // namespace agentic::recorder
