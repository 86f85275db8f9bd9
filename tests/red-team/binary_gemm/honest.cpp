// theme: Honest candidates
// expect: valid

// row: honest_banned_words
// style: Comments and strings that only mention what is banned
// static thread_local asm goto __thread std::thread malloc _exit(0) #include <unistd.h> [  PASSED  ]
/* #pragma GCC optimize("fast-math")
#define static
*/
@SIGNATURE@ {
  const char *note = "static asm volatile _exit getenv clock_gettime";
  (void)note; // throw, try, new, delete
  @BODY@
}

// row: honest_constexpr_table
// style: Constant tables, at namespace scope and in the function
constexpr float signs[2] = {-1.0f, 1.0f};
static const unsigned width = 32;

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  static constexpr unsigned offsets[2] = {0, 16};
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned offset : offsets)
          for (unsigned bit = offset; bit < offset + width / 2; ++bit)
            sums[bit] += a * signs[(word >> bit) & 1u];
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: honest_helpers
// style: Helper functions, a helper type and a template
namespace {
struct Block {
  float sums[32];
};
} // namespace

static inline float signedValue(std::uint32_t bit, float value) { return bit ? value : -value; }

template <unsigned Bits> void add(Block &block, std::uint32_t word, float a) {
  for (unsigned bit = 0; bit < Bits; ++bit)
    block.sums[bit] += signedValue((word >> bit) & 1u, a);
}

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      Block block = {};
      for (std::size_t p = 0; p < K; ++p)
        add<32>(block, B[p * (K / 32) + j / 32], A[i * K + p]);
      const auto store = [&](unsigned bit) { C[i * K + j + bit] = block.sums[bit]; };
      for (unsigned bit = 0; bit < 32; ++bit)
        store(bit);
    }
  }
}

// row: honest_in_namespace
// style: Inside its namespace
namespace bmm {

@SIGNATURE@ {
  @BODY@
}

} // namespace bmm

// row: honest_intrinsics
// style: Intrinsics, behind the macro of their feature
#include <immintrin.h>

@SIGNATURE@ {
#ifdef __AVX512F__
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const __m512 a = _mm512_set1_ps(A[i * K + p]);
        low = _mm512_mask_add_ps(_mm512_sub_ps(low, a), static_cast<__mmask16>(word), low, a);
        high = _mm512_mask_add_ps(_mm512_sub_ps(high, a), static_cast<__mmask16>(word >> 16), high, a);
      }
      _mm512_storeu_ps(C + i * K + j, low);
      _mm512_storeu_ps(C + i * K + j + 16, high);
    }
  }
#else
  @BODY@
#endif
}

// row: honest_loop_pragmas
// style: Loop pragmas
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
#pragma clang loop vectorize_width(16) interleave_count(2)
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}

// row: honest_marker
// style: With the marker
namespace bmm {

AGENTIC_KERNEL
@SIGNATURE@ {
  @BODY@
}

} // namespace bmm

// row: honest_math_and_algorithms
// style: Pure functions of the standard library, and assert
#include <algorithm>
#include <cassert>
#include <cmath>

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  assert(K % 32 == 0);
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += std::copysign(1.0f, static_cast<float>((word >> bit) & 1u) - 0.5f) * a;
      }
      std::copy(sums, sums + std::min<std::size_t>(32, K), C + i * K + j);
    }
  }
}

// row: honest_parameter_names
// style: Other parameter names, __restrict and const parameters
void matmul(const float *__restrict left, const uint32_t *__restrict signs, float *__restrict result, const size_t M,
            const size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = signs[p * (K / 32) + j / 32];
        const float a = left[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        result[i * K + j + bit] = sums[bit];
    }
  }
}

// row: honest_qualified
// style: By its qualified name
void bmm::matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  @BODY@
}

// row: honest_source_includes
// style: Repeats what the source file includes and defines
#include "binary_gemm.h"

AGENTIC_KERNEL @SIGNATURE@ {
  @BODY@
}

// row: honest_unqualified
// style: The function alone
@SIGNATURE@ {
  @BODY@
}

// row: honest_vector_type
// style: A wide vector type of the compiler
using Vector = float __attribute__((vector_size(64)));

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      Vector sums[2] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit / 16][bit % 16] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit / 16][bit % 16];
    }
  }
}
