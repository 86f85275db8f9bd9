// theme: Honest candidates
// expect: valid

// row: honest_avx2_shuffle
// style: A look-up in registers
// when: x86
#include <immintrin.h>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  std::size_t i = 0;
#ifdef __AVX2__
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                                         2, 3, 3, 4);
  const __m256i mask = _mm256_set1_epi8(15);
  __m256i sums = _mm256_setzero_si256();
  for (; i + 4 <= words; i += 4) {
    const __m256i v = _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(a + i)),
                                       _mm256_loadu_si256(reinterpret_cast<const __m256i *>(b + i)));
    const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(v, mask));
    const __m256i high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), mask));
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256()));
  }
  std::uint64_t lanes[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(lanes), sums);
  distance = lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
  for (; i < words; ++i)
    distance += static_cast<std::uint64_t>(_mm_popcnt_u64(a[i] ^ b[i]));
  return distance;
}

// row: honest_constexpr_table
// style: A table made by a constexpr function
#include <array>

constexpr std::array<std::uint8_t, 256> makeTable() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned value = 0; value < 256; ++value)
    for (unsigned bit = 0; bit < 8; ++bit)
      table[value] = static_cast<std::uint8_t>(table[value] + ((value >> bit) & 1));
  return table;
}
constexpr std::array<std::uint8_t, 256> kBits = makeTable();

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = a[i] ^ b[i]; rest != 0; rest >>= 8)
      distance += kBits[rest & 0xff];
  return distance;
}

// row: honest_popcount_builtin
// style: A builtin that counts bits
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}

// row: honest_static_constexpr_table
// style: A static constexpr table inside the function
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  static constexpr std::uint8_t kNibble[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = a[i] ^ b[i]; rest != 0; rest >>= 4)
      distance += kNibble[rest & 0xf];
  return distance;
}

// row: honest_std_popcount
// style: std::popcount
#include <bit>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(std::popcount(a[i] ^ b[i]));
  return distance;
}

// row: honest_swar
// style: Arithmetic on all bits of a word
static std::uint64_t bits(std::uint64_t v) {
  v = v - ((v >> 1) & 0x5555555555555555u);
  v = (v & 0x3333333333333333u) + ((v >> 2) & 0x3333333333333333u);
  return (((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56;
}

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= words; i += 2) {
    even += bits(a[i] ^ b[i]);
    odd += bits(a[i + 1] ^ b[i + 1]);
  }
  return i < words ? even + odd + bits(a[i] ^ b[i]) : even + odd;
}

// row: honest_transform_reduce
// style: std::transform_reduce
#include <bit>
#include <functional>
#include <numeric>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  return std::transform_reduce(a, a + words, b, std::uint64_t{0}, std::plus<>(), [](std::uint64_t x, std::uint64_t y) {
    return static_cast<std::uint64_t>(std::popcount(x ^ y));
  });
}

// row: honest_union_free_bit_cast
// style: Bits of a float, by std::bit_cast
#include <bit>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t rest = a[i] ^ b[i];
    while (rest != 0) {
      rest &= rest - 1;
      ++distance;
    }
  }
  constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0f);
  return distance + (kOne - 0x3f800000u);
}
