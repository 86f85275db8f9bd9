// theme: Text that no kernel has
// expect: rejected

// row: non_temporal_stores
// trick: Stores past the cache without a fence (catalogue 22)
// layers: check
// when: x86
// alone: one thread sees its own stores in order
#include <immintrin.h>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    _mm_stream_si32(out + i, static_cast<std::int32_t>(sum));
  }
}
