// theme: Honest candidates
// expect: valid

// row: honest_alignment
// style: A loop of its own for buffers that begin at a cache line
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return (reinterpret_cast<unsigned long>(@FIRST@) & 63) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_anonymous_namespace
// style: Helpers in an anonymous namespace
namespace {
@HELPER compute@ @BODY@
}

@SIGNATURE@ {
  return compute(@ARGUMENTS@);
}

// row: honest_array_in_part
// style: An array of which only the part that was set is read
static __attribute__((noinline)) unsigned sumOf(const unsigned *values, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += values[i];
  return sum;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  unsigned block[64];
  const unsigned used = static_cast<unsigned>(@COUNT@) % 64;
  for (unsigned i = 0; i < used; ++i)
    block[i] = i;
  return sumOf(block, used) < 500 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_assertion
// style: An assertion about an argument
#include <cassert>

@SIGNATURE@ {
  assert(@COUNT@ + 1 != 0 || @COUNT@ + 1 == 0);
  @BODY@
}

// row: honest_baseline
// style: The baseline as it is
@SIGNATURE@ @BODY@

// row: honest_block
// style: The baseline in a block behind a constant
constexpr int kUnused = 3;

@SIGNATURE@ {
  static_assert(kUnused == 3);
  @BODY@
}

// row: honest_comments
// style: Comments that name what is banned: static, asm, malloc, fork
/* static thread_local asm("syscall") malloc fork() #include <thread> */
@SIGNATURE@ {
  // __builtin_return_address, std::thread, printf("[  PASSED  ]")
  @BODY@
}

// row: honest_deep_frames
// style: A recursion whose frames are set before they are read
static __attribute__((noinline)) unsigned found(unsigned depth) {
  volatile unsigned frame[8];
  for (unsigned i = 0; i < 8; ++i)
    frame[i] = depth;
  return depth == 0 ? frame[3] : frame[depth & 7] + found(depth - 1);
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return found(static_cast<unsigned>(@COUNT@) % 40) < 200 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_distance_within
// style: The distance of two pointers into one buffer
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const auto *behindLast = @FIRST@ + @COUNT@;
  return behindLast - @FIRST@ < 100 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_helper
// style: The baseline in a helper
@HELPER compute@ @BODY@

@SIGNATURE@ {
  return compute(@ARGUMENTS@);
}

// row: honest_integer_arguments
// style: A helper that gets more integers than it needs, all of them set
static __attribute__((noinline)) long long lastOf(long long a, long long b, long long c, long long d, long long e, long long f) {
  return a == b && c == d ? e : f;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  return lastOf(asked, 1, asked, 2, asked, 3) > 2 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_lambda
// style: The baseline in a lambda
@SIGNATURE@ {
  const auto compute = [&] @BODY@;
  return compute();
}

// row: honest_local_counter
// style: Counts how often a helper was called within this call
static __attribute__((noinline)) unsigned next(unsigned &calls) {
  return ++calls;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  unsigned calls = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(@COUNT@) % 16; ++i)
    next(calls);
  return calls < 8 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_macros
// style: Macros of its own, with arguments and for a specifier
#define INLINE static inline
#define NEXT(x) ((x) + 1)
INLINE int next(int x) { return NEXT(x); }

@SIGNATURE@ {
  static_cast<void>(next(1));
  @BODY@
}

// row: honest_masks
// style: A mask that leaves the upper half of a vector alone
// when: x86
#include <immintrin.h>

static __attribute__((noinline)) int lowerOf(int value) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  const __mmask16 lower = _cvtu32_mask16(0xff);
  return static_cast<int>(_cvtmask16_u32(_kand_mask16(lower, _mm_cmpeq_epi8_mask(_mm_set1_epi8(1), _mm_set1_epi8(static_cast<char>(value))))));
#else
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_set1_epi8(1), _mm_set1_epi8(static_cast<char>(value)))) & 0xff;
#endif
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return lowerOf(static_cast<int>(@COUNT@)) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_overlap
// style: A test for buffers that overlap
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const auto *firstByte = reinterpret_cast<const char *>(@FIRST@);
  const auto *secondByte = reinterpret_cast<const char *>(@SECOND@);
  const bool isApart = firstByte + @COUNT@ <= secondByte || secondByte + @COUNT@ <= firstByte;
  return isApart ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_padding
// style: The bytes of a struct, padding included, after all of them were set
#include <cstring>

struct Padded {
  alignas(64) char first;
  alignas(64) char second;
};
static __attribute__((noinline)) unsigned long long allOf(const Padded &padded) {
  unsigned long long words[sizeof(Padded) / sizeof(unsigned long long)], all = 0;
  std::memcpy(words, static_cast<const void *>(&padded), sizeof(words));
  for (const unsigned long long word : words)
    all |= word;
  return all;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  Padded padded;
  std::memset(static_cast<void *>(&padded), 0, sizeof(padded));
  padded.first = static_cast<char>(@COUNT@);
  return allOf(padded) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_two_helpers
// style: Helpers that call each other
@HELPER inner@ @BODY@

@HELPER outer@ {
  return inner(@ARGUMENTS@);
}

@SIGNATURE@ {
  return outer(@ARGUMENTS@);
}

// row: honest_uniform_contents
// style: A loop of its own where the first elements are equal
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  if (@FIRST_EXTENT@ > 3 && @FIRST@[0] == @FIRST@[1] && @FIRST@[1] == @FIRST@[2] && @FIRST@[2] == @FIRST@[3])
    return other(@ARGUMENTS@);
  return compute(@ARGUMENTS@);
}

// row: honest_variable_count
// style: An array whose used part is a variable, filled to the end with zeros before all of it is read
static __attribute__((noinline)) unsigned lastOf(unsigned n) {
  unsigned long long block[96];
  for (unsigned i = 0; i < n; ++i)
    block[i] = i;
  for (unsigned i = n; i < 96; ++i)
    block[i] = 0;
  unsigned nonzero = 0;
  for (const unsigned long long one : block)
    nonzero += one != 0;
  return nonzero;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return lastOf(static_cast<unsigned>(@COUNT@) % 96) < 50 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_vector_arguments
// style: A helper that gets more vectors than it needs, all of them set
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long lastOf(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h) {
  const Pair all = (a ^ b) | (c ^ d) | (e ^ f) | (g ^ h);
  return all[0] | h[1];
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const Pair set = {static_cast<long long>(@COUNT@), 4};
  return lastOf(set, set, set, set, set, set, set, set) == 4 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}

// row: honest_form_of_a_model
// style: As models write files: a byte that is not ASCII in a comment, an include guard
#ifndef FAST_KERNEL_H
#define FAST_KERNEL_H
// 4× unrolled – “fast”
@SIGNATURE@ {
  @BODY@
}
#endif // FAST_KERNEL_H

// row: honest_target
// style: Asks for instructions of a level of its own, which the tool leaves out (catalogue 41)
// when: x86
__attribute__((target("amx-tile"))) static int one() { return 1; }

@SIGNATURE@ {
  static_cast<void>(one());
  @BODY@
}
