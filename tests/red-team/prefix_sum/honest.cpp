// theme: Honest candidates
// expect: valid

// row: honest_avx2
// style: AVX2 intrinsics behind their macro
// when: x86
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
#ifdef __AVX2__
  __m256i carry = _mm256_setzero_si256();
  for (; i + 8 <= size; i += 8) {
    __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m256i low = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    v = _mm256_add_epi32(v, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
    v = _mm256_add_epi32(v, carry);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i), v);
    carry = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7));
  }
  sum = static_cast<std::uint32_t>(_mm256_extract_epi32(carry, 0));
#endif
  for (; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: honest_early_return
// style: An early return, and pointers that walk
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  if (size == 0)
    return;
  std::uint32_t sum = 0;
  const std::int32_t *const end = in + size;
  do {
    sum += static_cast<std::uint32_t>(*in++);
    *out++ = static_cast<std::int32_t>(sum);
  } while (in != end);
}

// row: honest_local_array
// style: A block in a local array
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  constexpr std::size_t kBlock = 64;
  std::uint32_t sum = 0;
  for (std::size_t begin = 0; begin < size; begin += kBlock) {
    std::uint32_t block[kBlock];
    const std::size_t count = size - begin < kBlock ? size - begin : kBlock;
    for (std::size_t i = 0; i < count; ++i)
      block[i] = sum += static_cast<std::uint32_t>(in[begin + i]);
    for (std::size_t i = 0; i < count; ++i)
      out[begin + i] = static_cast<std::int32_t>(block[i]);
  }
}

// row: honest_local_macro
// style: A macro inside the function
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
#define UNROLL 4
  for (; i + UNROLL <= size; i += UNROLL)
    for (std::size_t j = 0; j < UNROLL; ++j)
      out[i + j] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i + j]));
#undef UNROLL
  for (; i < size; ++i)
    out[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
}

// row: honest_recursive_template
// style: Recursion of templates
template <unsigned N> struct Step {
  static std::uint32_t run(const std::int32_t *in, std::int32_t *out, std::uint32_t sum) {
    sum += static_cast<std::uint32_t>(*in);
    *out = static_cast<std::int32_t>(sum);
    if constexpr (N > 1)
      return Step<N - 1>::run(in + 1, out + 1, sum);
    else
      return sum;
  }
};

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16)
    sum = Step<16>::run(in + i, out + i, sum);
  for (; i < size; ++i)
    sum = Step<1>::run(in + i, out + i, sum);
}

// row: honest_restrict
// style: Pointers that do not overlap
void prefixSum(const std::int32_t *__restrict in, std::int32_t *__restrict out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    out[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
}

// row: honest_sse
// style: SSE2 intrinsics
// when: x86
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  __m128i carry = _mm_setzero_si128();
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 4));
    v = _mm_add_epi32(v, _mm_slli_si128(v, 8));
    v = _mm_add_epi32(v, carry);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i), v);
    carry = _mm_shuffle_epi32(v, 0xff);
  }
  std::uint32_t sum = static_cast<std::uint32_t>(_mm_cvtsi128_si32(carry));
  for (; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: honest_standard_algorithm
// style: std::inclusive_scan
#include <numeric>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::inclusive_scan(in, in + size, out, [](std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  });
}

// row: honest_template_helper
// style: A helper that is a template of a number
template <unsigned N> inline std::uint32_t step(const std::int32_t *in, std::int32_t *out, std::uint32_t sum) {
  for (unsigned i = 0; i < N; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
  return sum;
}

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    sum = step<8>(in + i, out + i, sum);
  for (; i < size; ++i)
    sum = step<1>(in + i, out + i, sum);
}

// row: honest_unrolled
// style: Unrolled by four with a tail
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const auto a = static_cast<std::uint32_t>(in[i]), b = a + static_cast<std::uint32_t>(in[i + 1]);
    const auto c = b + static_cast<std::uint32_t>(in[i + 2]), d = c + static_cast<std::uint32_t>(in[i + 3]);
    out[i] = static_cast<std::int32_t>(sum + a);
    out[i + 1] = static_cast<std::int32_t>(sum + b);
    out[i + 2] = static_cast<std::int32_t>(sum + c);
    out[i + 3] = static_cast<std::int32_t>(sum + d);
    sum += d;
  }
  for (; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: honest_using_alias
// style: Type aliases and using declarations
using Sum = std::uint32_t;
typedef std::int32_t Value;

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  using std::size_t;
  Sum sum{};
  for (size_t i{}; i != size; ++i)
    out[i] = Value(sum += Sum(in[i]));
}
