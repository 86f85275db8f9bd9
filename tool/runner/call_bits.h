// The content of stack and registers when a kernel is called: random bits that change with every call. Hooks and the
// runner share it, so that they tell a kernel neither that it was called before nor where it runs.
//
// Plain C++11 without includes, as a part of own_stack.h.
#pragma once

#if defined(__linux__) && (defined(__aarch64__) || (defined(__x86_64__) && !defined(__ILP32__)))
#define AGENTIC_OWN_STACK 1
#else
#define AGENTIC_OWN_STACK 0
#endif

#if AGENTIC_OWN_STACK

extern "C" unsigned long ak_bits_getauxval(unsigned long) __asm__("getauxval");

/// The kinds of registers of this CPU in which a call may leave values, for agentic_own_stack_switch.
static inline int ak_bits_registers(void) {
#if defined(__x86_64__)
  unsigned ak_a = 0, ak_b = 0, ak_c = 0, ak_d = 0, ak_saved = 0;
  __asm__("cpuid" : "=a"(ak_a), "=b"(ak_b), "=c"(ak_c), "=d"(ak_d) : "a"(1), "c"(0));
  if ((ak_c >> 27 & 3) != 3) // OSXSAVE, AVX
    return 0;
  __asm__("xgetbv" : "=a"(ak_saved), "=d"(ak_d) : "c"(0));
  if ((ak_saved & 6) != 6)
    return 0;
  __asm__("cpuid" : "=a"(ak_a), "=b"(ak_b), "=c"(ak_c), "=d"(ak_d) : "a"(0), "c"(0));
  if (ak_a < 7 || (ak_saved & 0xe6) != 0xe6)
    return 1;
  __asm__("cpuid" : "=a"(ak_a), "=b"(ak_b), "=c"(ak_c), "=d"(ak_d) : "a"(7), "c"(0));
  return 1 + static_cast<int>(ak_b >> 16 & 1); // AVX512F
#else
  return static_cast<int>(ak_bits_getauxval(16) >> 22 & 1); // AT_HWCAP, HWCAP_SVE
#endif
}

#endif

/// ak_bits_kPool random bytes, twice in a row, so that any place in the first half begins as many. ak_bits_kRegisters:
/// bytes that the registers take.
enum { ak_bits_kPool = 4096, ak_bits_kRegisters = 512 };
struct ak_bits_pool {
  unsigned long long ak_words[2 * ak_bits_kPool / 8];
  unsigned long long ak_state; ///< not 0
};

/// Returns other bits than the last call. A few ns.
static inline unsigned long long ak_bits_next(struct ak_bits_pool *ak_pool) {
  unsigned long long ak_x = ak_pool->ak_state; // xorshift64
  ak_x ^= ak_x << 13;
  ak_x ^= ak_x >> 7;
  ak_x ^= ak_x << 17;
  ak_pool->ak_state = ak_x;
  const unsigned long long ak_at = ak_x >> 20 & (ak_bits_kPool / 8 - 1);
  ak_pool->ak_words[ak_at] ^= ak_x;
  ak_pool->ak_words[ak_at + ak_bits_kPool / 8] = ak_pool->ak_words[ak_at];
  return ak_x;
}
static inline const char *ak_bits_from(const struct ak_bits_pool *ak_pool, unsigned long long ak_lot) {
  return reinterpret_cast<const char *>(ak_pool->ak_words) + (ak_lot & (ak_bits_kPool - 16));
}

/// Overwrites whole pages, each from another place of the pool. About 35 ns for a page of 4 KiB.
static inline void ak_bits_fill(const struct ak_bits_pool *ak_pool, unsigned long long ak_lot, char *ak_begin,
                                char *ak_end) {
  for (; ak_begin != ak_end; ak_begin += ak_bits_kPool) {
    __builtin_memcpy(ak_begin, ak_bits_from(ak_pool, ak_lot), ak_bits_kPool);
    ak_lot = ak_lot * 5 + (ak_lot >> 32);
  }
}
