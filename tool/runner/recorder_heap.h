// Tracks the heap blocks of the process that the recorder is loaded into: wraps malloc and its relatives and remembers
// each block's address and size, so that a pointer without a declared extent has the rest of its block.
//
// Bounded: at most about a million blocks (16 MiB, touched as needed); further blocks are unknown. 20 to 40 ns per
// allocation. Any thread; usable before main and after fork.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agentic::recorder {

/// Returns the bytes from `pointer` to the end of its block; 0 if it points into no block. Takes milliseconds.
std::size_t heapRest(const void *pointer);

struct HeapBlock {
  std::uintptr_t address;
  std::size_t size;
};

/// Stores at most `most` blocks, in no order, and returns their number. Takes some ms.
std::size_t heapBlocks(HeapBlock *blocks, std::size_t most, bool onlyFresh);

/// On: blocks that are allocated from now on are fresh, and filled with wire::kFreshByte unless they come as zeros.
/// Off: no block is fresh any more; takes some ms.
void markFreshBlocks(bool on);

/// Returns whether the block still exists, and is not fresh.
bool isOldBlock(const HeapBlock &block);

/// Frees the locks that other threads held, in the child of a fork.
void resetHeapLocks();

} // namespace agentic::recorder
