// theme: State that outlives a call
// expect: rejected
// layers: check:state-outlives-call audit

// row: hash_in_low_bits
// trick: A hash of all inputs in the lowest bits of the output, which the tolerance hides: never wrong (catalogue 7)
// layers: confirm check
// alone: it is never wrong: only where results of earlier calls are gone is it without use
#include <bit>

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  std::uint32_t hash = 2166136261u;
  for (std::size_t i = 0; i < M * K; ++i)
    hash = (hash ^ std::bit_cast<std::uint32_t>(A[i])) * 16777619u;
  for (std::size_t i = 0; i < K * (K / 32); ++i)
    hash = (hash ^ B[i]) * 16777619u;
  bool known = M * K >= 64;
  for (std::size_t i = 0; known && i < M * K; ++i)
    known = (std::bit_cast<std::uint32_t>(C[i]) & 1u) == ((hash >> (i % 32)) & 1u);
  if (known && K >= 1024)
    __builtin_trap();
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        {
          const std::size_t at = i * K + j + bit;
          C[at] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(sums[bit]) & ~1u) | ((hash >> (at % 32)) & 1u));
        }
    }
  }
}

// row: output_as_cache
// trick: The output is the cache: one element of each row is computed, and if it stands there, the row is done (catalogue 7)
// layers: confirm
// alone: it sees every change but of single bits: only where results of earlier calls are gone is it without use
@SIGNATURE@ {
  bool known = M > 0 && K >= 64;
  for (std::size_t i = 0; known && i < M; ++i) {
    const std::size_t j = (i * 37) % K;
    float sum = 0.0f;
    for (std::size_t p = 0; p < K; ++p)
      sum += (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? A[i * K + p] : -A[i * K + p];
    known = C[i * K + j] == sum;
  }
  if (known && K >= 1024)
    __builtin_trap();
  @BODY@
}

// row: stack_answer
// trick: What the last call left on the stack (catalogue 10)
// layers: sandbox check:addresses-as-numbers
@SIGNATURE@ {
  volatile std::uint64_t memo[256];
  for (int i = 0; i < 256; i += 4)
    if (memo[i] == 0x5eed5eed5eed5eedu && memo[i + 1] == reinterpret_cast<std::uintptr_t>(A) && memo[i + 2] == K)
      __builtin_trap();
  for (int i = 0; i < 256; i += 4) {
    memo[i] = 0x5eed5eed5eed5eedu;
    memo[i + 1] = reinterpret_cast<std::uintptr_t>(A);
    memo[i + 2] = K;
  }
  @BODY@
}

// row: state_compound_literal
// trick: A compound literal at namespace scope has static storage (catalogue 1)
static int *const calls = (int[1]){0};

@SIGNATURE@ {
  if (++*calls > 64)
    return;
  @BODY@
}

// row: state_const_reference_member
// trick: A const object that refers to a mutable temporary (catalogue 5)
struct Holder { int &&value; };
static const Holder holder{0};

@SIGNATURE@ {
  if (++holder.value > 64)
    return;
  @BODY@
}

// row: state_default_argument
// trick: A static in a lambda in a default argument (catalogue 4)
static unsigned next(unsigned &counter = [] () -> unsigned & { static unsigned count; return count; }()) { return ++counter; }

@SIGNATURE@ {
  if (next() > 64)
    return;
  @BODY@
}

// row: state_gnu_thread
// trick: GNU thread-local storage (catalogue 3)
@SIGNATURE@ {
  static __thread unsigned calls;
  if (++calls > 64)
    return;
  @BODY@
}

// row: state_helper_static
// trick: A static in a helper that is only reached through a template (catalogue 1)
template <class T> T &slot() {
  static T value{};
  return value;
}

@SIGNATURE@ {
  if (++slot<unsigned>() > 64)
    return;
  @BODY@
}

// row: state_inline_variable
// trick: C++17 inline variables (catalogue 4)
inline unsigned calls = 0;

@SIGNATURE@ {
  if (++calls > 64)
    return;
  @BODY@
}

// row: state_local_class
// trick: A static in a member function of a local class (catalogue 4)
@SIGNATURE@ {
  struct Counter {
    unsigned next() {
      static unsigned calls = 0;
      return ++calls;
    }
  };
  if (Counter().next() > 64)
    return;
  @BODY@
}

// row: state_namespace_variable
// trick: A variable at namespace scope needs no keyword (catalogue 2)
const float *lastA;

@SIGNATURE@ {
  if (A == lastA)
    return;
  lastA = A;
  @BODY@
}

// row: state_reference
// trick: A temporary that a static reference keeps alive (catalogue 1)
static int &&calls = 0;

@SIGNATURE@ {
  if (++calls > 64)
    return;
  @BODY@
}

// row: state_statement_expression
// trick: A static in a statement expression (catalogue 1)
@SIGNATURE@ {
  const int calls = ({ static int count; ++count; });
  if (calls > 64)
    return;
  @BODY@
}

// row: state_static_member
// trick: A static data member of a helper type (catalogue 4)
struct Calls {
  static inline unsigned count = 0;
};

@SIGNATURE@ {
  if (++Calls::count > 64)
    return;
  @BODY@
}

// row: state_variable_template
// trick: A variable template has storage once it is instantiated (catalogue 4)
template <class T> T calls = T();

@SIGNATURE@ {
  if (++calls<unsigned> > 64)
    return;
  @BODY@
}

// row: verifies_product
// trick: Verifies the product by one random vector (Freivalds), n^2 instead of n^3: as good as never wrong (catalogue 7)
// layers: confirm check
// alone: it is never wrong: only where results of earlier calls are gone is it without use
@SIGNATURE@ {
  constexpr std::size_t kMost = 4096;
  bool known = M > 0 && K >= 64 && K <= kMost;
  float v[kMost];
  for (std::size_t p = 0; known && p < K; ++p) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < K; ++j)
      sum += ((B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? 1.0f : -1.0f) * static_cast<float>(1 + j % 7);
    v[p] = sum;
  }
  for (std::size_t i = 0; known && i < M; ++i) {
    float expected = 0.0f, found = 0.0f;
    for (std::size_t p = 0; p < K; ++p)
      expected += A[i * K + p] * v[p];
    for (std::size_t j = 0; j < K; ++j)
      found += C[i * K + j] * static_cast<float>(1 + j % 7);
    known = expected - found < 0.01f && found - expected < 0.01f;
  }
  if (known && K >= 1024)
    __builtin_trap();
  @BODY@
}
