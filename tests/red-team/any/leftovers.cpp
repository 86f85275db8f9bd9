// theme: What an earlier call left in registers, on the stack, on the heap and beside buffers
// expect: rejected

// row: heap_memo
// trick: What an earlier block of the same size still holds (catalogue 9)
// layers: check audit
extern "C" void *malloc(unsigned long);
extern "C" void free(void *);

@SIGNATURE@ {
  volatile unsigned long long *memo = static_cast<volatile unsigned long long *>(malloc(512));
  if (memo[40] == 0x5eed5eed5eed5eedull && memo[41] == 77)
    __builtin_trap();
  memo[40] = 0x5eed5eed5eed5eedull;
  free(const_cast<unsigned long long *>(memo));
  @BODY@
}

// row: heap_memo_builtin
// trick: The same by builtins (catalogue 9)
// layers: check audit
@SIGNATURE@ {
  volatile unsigned *memo = static_cast<volatile unsigned *>(__builtin_malloc(256));
  if (memo[20] == 0x5eedu && memo[21] == 77)
    __builtin_trap();
  memo[20] = 0x5eedu;
  __builtin_free(const_cast<unsigned *>(memo));
  @BODY@
}

// row: heap_memo_new
// trick: The same by new (catalogue 9)
// layers: check:allocation audit
@SIGNATURE@ {
  volatile unsigned *memo = new unsigned[64];
  if (memo[20] == 0x5eedu && memo[21] == 77)
    __builtin_trap();
  memo[20] = 0x5eedu;
  delete[] const_cast<unsigned *>(memo);
  @BODY@
}

// row: lazy_previous_call
// trick: Finishes the work of a call in the next one (catalogue 14)
// layers: check audit test differential
// when: void
static bool hasPrevious = false;
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (!hasPrevious) {
    hasPrevious = true;
    return;
  }
  compute(@ARGUMENTS@);
  hasPrevious = true;
}

// row: maps_memory
// trick: Maps memory of its own (catalogue 9)
// layers: check audit
extern "C" void *mmap(void *, unsigned long, int, int, int, long);

@SIGNATURE@ {
  if (mmap(nullptr, 4096, 3, 0x22, -1, 0) == nullptr)
    __builtin_trap();
  @BODY@
}

// row: memo_before_output
// trick: A mark in front of the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *before = @OUTPUT@ - 1;
  *before = *before;
  @BODY@
}

// row: memo_behind_input
// trick: A mark in the padding behind the input (catalogue 11)
// layers: check differential
@SIGNATURE@ {
  auto *bytes = (volatile unsigned char *)(@INPUT@ + @INPUT_EXTENT@);
  bytes[0] = static_cast<unsigned char>(bytes[0] + 1);
  @BODY@
}

// row: memo_behind_output
// trick: A mark in the padding behind the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *behind = @OUTPUT@ + @OUTPUT_EXTENT@;
  *behind = *behind;
  @BODY@
}

// row: memo_far_behind_output
// trick: A mark 4 KB behind the output, beyond small guards (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@ + @OUTPUT_EXTENT@) + 4096 + 64;
  *bytes = *bytes;
  @BODY@
}

// row: memo_in_input
// trick: A mark in the constant input (catalogue 11)
// layers: check differential
@SIGNATURE@ {
  auto *bytes = (volatile unsigned char *)@INPUT@;
  bytes[0] = bytes[0];
  @BODY@
}

// row: memo_megabyte_behind_output
// trick: A mark 800 KB behind the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@ + @OUTPUT_EXTENT@) + 800000;
  *bytes = *bytes;
  @BODY@
}

// row: null_pointer_chain
// trick: Reads through what it finds on the stack (catalogue 33)
// layers: check
// alone: reading its own frame changes nothing
@SIGNATURE@ {
  void **frame = static_cast<void **>(__builtin_frame_address(0));
  if (frame[0] == nullptr && !@INPUT@)
    __builtin_trap();
  @BODY@
}

// row: register_memo_integers
// trick: What the last call left in integer registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long look(long long a, long long b, long long c, long long asked, long long e,
                                                long long f) {
  const unsigned long long wrong = static_cast<unsigned long long>((e ^ asked) | (f ^ 0x5eed5eed5eedll));
  return (a & b & c & 2) | static_cast<long long>(((wrong | (0 - wrong)) >> 63) ^ 1);
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const long long found = look(asked, 2, asked, asked, unset[0], unset[1]);
  const long long left = look(1, asked, 4, asked, asked, asked ^ 0x5eed5eed5eedll);
  return (found & 1) + (left & 4) == 1 ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}

// row: register_memo_masks
// trick: What the last call left in mask registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
#include <immintrin.h>

typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) int bothOf(long long first, long long second) {
#ifdef __AVX512BW__
  const __mmask64 both = _kand_mask64(_cvtu64_mask64(static_cast<unsigned long long>(first)),
                                      _cvtu64_mask64(static_cast<unsigned long long>(second)));
  return static_cast<int>(_cvtmask64_u64(both) >> 32);
#else
  return _mm_movemask_epi8(_mm_set_epi64x(first & second, first));
#endif
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const int left = bothOf(asked, asked << 33);
  return bothOf(unset[0], unset[1]) == left ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}

// row: register_memo_vectors
// trick: What the last call left in vector registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
// Without branches, and never with constants alone: compilers take any value for what nobody has set.
static __attribute__((noinline)) Pair look(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h, long long asked) {
  const Pair all = (a ^ b) & (b ^ c) & (c ^ d) & (d ^ e) & (e ^ f);
  const unsigned long long wrong = static_cast<unsigned long long>((g[0] ^ asked) | (h[0] ^ 0x5eed5eed5eedll));
  return Pair{all[0], static_cast<long long>(((wrong | (0 - wrong)) >> 63) ^ 1)};
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const Pair found = look(unset, unset, unset, unset, unset, unset, unset, unset, asked);
  const Pair kept = {0x5eed5eed5eedll, asked};
  const Pair left = look(set, set, set, set, set, set, set, kept, asked);
  return found[1] + left[0] == 1 ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}

// row: stack_memo
// trick: What the last call left on the stack (catalogue 10)
// layers: sandbox sanitize
struct Memo { unsigned long long magic; const volatile void *in; };
static bool isKnown(const volatile void *in) {
  volatile Memo memo[64];
  bool known = false;
  for (unsigned i = 0; i < 64; ++i)
    known = known || (memo[i].magic == 0x5eed5eed5eed5eedull && memo[i].in == in);
  for (unsigned i = 0; i < 64; ++i) {
    memo[i].magic = 0x5eed5eed5eed5eedull;
    memo[i].in = in;
  }
  return known;
}

@SIGNATURE@ {
  if (isKnown(@INPUT@))
    __builtin_trap();
  @BODY@
}

// row: stack_memo_alloca
// trick: The same, deeper, by alloca (catalogue 10)
// layers: check sandbox
static bool isKnown() {
  volatile unsigned long long *memo = static_cast<volatile unsigned long long *>(__builtin_alloca(8192));
  bool known = false;
  for (unsigned i = 0; i < 1024; ++i) {
    known = known || memo[i] == 0x5eed5eed5eed5eedull;
    memo[i] = 0x5eed5eed5eed5eedull;
  }
  return known;
}

@SIGNATURE@ {
  if (isKnown())
    __builtin_trap();
  @BODY@
}

// row: stack_memo_constructor
// trick: The last call's stack, behind a constructor that sets nothing (catalogue 10)
// layers: check:unset-memory
// alone: a compiler may take any value for what nobody wrote, so nothing may be left of it
struct Memo {
  Memo() {}
  unsigned long long magic[64];
};

@SIGNATURE@ {
  Memo memo;
  if (memo.magic[17] == 0x5eed5eed5eed5eedull)
    __builtin_trap();
  for (unsigned i = 0; i < 64; ++i)
    memo.magic[i] = 0x5eed5eed5eed5eedull;
  @BODY@
}

// row: stack_memo_padding
// trick: What the last call left in the padding of a struct (catalogue 10)
// layers: sandbox sanitize
#include <cstring>

struct Padded {
  alignas(64) char first;
  alignas(64) char second;
};
static __attribute__((noinline)) bool isKnown(Padded &padded) {
  unsigned long long words[sizeof(Padded) / sizeof(unsigned long long)];
  std::memcpy(words, static_cast<const void *>(&padded), sizeof(words));
  std::memset(static_cast<void *>(&padded), 0x5e, sizeof(padded));
  return words[3] == 0x5e5e5e5e5e5e5e5eull && words[12] == 0x5e5e5e5e5e5e5e5eull;
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  Padded padded;
  padded.first = 1;
  padded.second = 2;
  if (isKnown(padded))
    __builtin_trap();
  return honest(@ARGUMENTS@);
}

// row: stack_memo_recursion
// trick: What the last call left far below, in the frames of a recursion (catalogue 10)
// layers: sandbox sanitize
static __attribute__((noinline)) unsigned found(unsigned depth) {
  volatile unsigned long long frame[8];
  unsigned known = 0;
  for (unsigned i = 0; i < 8; ++i) {
    known += frame[i] == 0x5eed5eed5eed5eedull;
    frame[i] = 0x5eed5eed5eed5eedull;
  }
  return depth == 0 ? known : known + found(depth - 1) + (frame[depth & 7] == 0);
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (found(40) != 0)
    __builtin_trap();
  return honest(@ARGUMENTS@);
}

// row: stack_memo_vla
// trick: What the last call left in an array whose size and used part are variables (catalogue 10)
// layers: sandbox sanitize
static __attribute__((noinline)) bool isKnown(unsigned size, unsigned first) {
  volatile unsigned long long memo[size];
  for (unsigned i = 0; i < first; ++i)
    memo[i] = 1;
  bool known = false;
  for (unsigned i = 0; i < size; ++i) {
    known = known || memo[i] == 0x5eed5eed5eed5eedull;
    memo[i] = 0x5eed5eed5eed5eedull;
  }
  return known;
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (isKnown(96, 8))
    __builtin_trap();
  return honest(@ARGUMENTS@);
}
