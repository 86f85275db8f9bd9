// The stack that the runner calls kernels on: of fixed size, all accessible, filled with a pattern before a call; bytes
// that differ from the pattern afterwards have been used. In a stack larger than the usual one, the part deeper than
// any call so far holds zeros instead. Like the stack of a hook (own_stack.h) it lies at a random place, and calls
// begin at a random place in its topmost page: addresses of variables do not tell a kernel that it is in the runner.
// One thread.
#pragma once

#include "tool/runner/own_stack.h"
#include "tool/runner/runner_memory.h"
#include "tool/runner/runner_pattern.h"

#include <algorithm>
#include <cstring>
#include <sys/random.h>

namespace agentic::runner {

class CallStack {
public:
  CallStack(std::size_t bytes, std::size_t guardBytes)
      : region_(mapRegion((bytes + 2 * pageBytes() - 1) / pageBytes() * pageBytes(), std::max(guardBytes, kLeastGuard),
                          place())),
        untouched_(region_.openBytes - std::min(region_.openBytes, kUsual + pageBytes())) {
    fillPool(0);
  }

  /// Fills the stack as far as it was ever used; about 20 us for 256 KiB.
  void scribble(std::uint64_t seed) {
    fillPattern(region_.open + untouched_, region_.openBytes - untouched_, seed);
    first_ = region_.openBytes - 16 * (patternWord(seed, region_.openBytes) >> 32 & 0xff);
    fillPool(patternWord(seed, region_.openBytes + 1));
  }

  /// Returns the used bytes of the scribbled stack, from the begin of the call to the lowest written byte.
  std::size_t used(std::uint64_t seed) {
    const std::size_t before = untouched_;
    for (std::size_t i = 0; i < before; i += pageBytes())
      if (!isZero(region_.open + i, pageBytes())) {
        untouched_ = i;
        return first_ - i;
      }
    for (std::size_t i = before; i < region_.openBytes; i += 8) {
      const std::uint64_t expected = patternWord(seed, (i - before) / 8);
      if (std::memcmp(region_.open + i, &expected, 8) != 0)
        return first_ - std::min(first_, i);
    }
    return 0;
  }

  /// Overwrites the bytes that a call has used, rounded up to pages; about 35 ns a page.
  void wipe(std::size_t bytes) {
    const std::size_t rounded = (bytes + 2 * pageBytes() - 1) / pageBytes() * pageBytes();
    const std::size_t size = rounded < region_.openBytes ? rounded : region_.openBytes;
    char *end = region_.open + region_.openBytes;
    ak_bits_fill(&pool_, ak_bits_next(&pool_), end - size, end);
  }

  /// Calls `body`; the registers, too, hold bits that depend on the last scribble() and the calls since.
  void call(void (*body)(void *), void *closure) {
#if AGENTIC_OWN_STACK
    const void *bits = ak_bits_from(&pool_, ak_bits_next(&pool_) >> 32);
    agentic_own_stack_switch(closure, body, region_.open + first_, bits, registers_);
#else
    body(closure);
#endif
  }

  /// Returns whether the address is in the guard below.
  bool isOverflow(const char *address) const { return address >= region_.mapping && address < region_.open; }

private:
  void fillPool(std::uint64_t seed) {
    char *words = reinterpret_cast<char *>(pool_.ak_words);
    fillPattern(words, ak_bits_kPool, seed);
    std::memcpy(words + ak_bits_kPool, words, ak_bits_kPool);
    pool_.ak_state = seed | 1;
  }

  static bool isZero(const char *begin, std::size_t bytes) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < bytes; i += 8) {
      std::uint64_t word;
      std::memcpy(&word, begin + i, 8);
      any |= word;
    }
    return any == 0;
  }

  static void *place() {
    std::uint64_t lot = 0;
    if (::getrandom(&lot, sizeof lot, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof lot))
      return nullptr;
    return reinterpret_cast<void *>((lot >> 18 | std::uint64_t{1} << 44) / pageBytes() * pageBytes());
  }

  static constexpr std::size_t kUsual = 256u << 10;
  /// Larger than the locals of any sane function: too large a frame does not reach beyond.
  static constexpr std::size_t kLeastGuard = 8u << 20;
  Region region_;
  std::size_t first_ = region_.openBytes; ///< offset at which calls begin
  ak_bits_pool pool_ = {};
#if AGENTIC_OWN_STACK
  int registers_ = ak_bits_registers();
#endif
  std::size_t untouched_; ///< bytes from the lowest address on that no call has written to; whole pages
};

} // namespace agentic::runner
