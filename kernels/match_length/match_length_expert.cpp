// The same lengths with 32 bytes in a comparison: most matches end in the first, so one branch is foretold well.
#include "match_length.h"
#include "match_length_bench_case.h"

#include <algorithm>
#include <bit>

#if defined(__AVX2__)
#include <immintrin.h>

namespace {

__m256i load(const std::uint8_t *from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
}

std::size_t matchLength(const std::uint8_t *candidate, const std::uint8_t *position, std::size_t longest) {
  std::size_t length = 0;
  for (; length + 32 <= longest; length += 32) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    const std::uint32_t differ = _mm256_cmpneq_epi8_mask(load(candidate + length), load(position + length));
#else
    const __m256i same = _mm256_cmpeq_epi8(load(candidate + length), load(position + length));
    const std::uint32_t differ = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(same));
#endif
    if (differ != 0)
      return length + static_cast<std::size_t>(std::countr_zero(differ));
  }
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  // Fewer than 32 are left: a masked load reads no others.
  const std::uint32_t first = (1u << (longest - length)) - 1;
  const std::uint32_t differ = _mm256_mask_cmpneq_epi8_mask(first, _mm256_maskz_loadu_epi8(first, candidate + length),
                                                            _mm256_maskz_loadu_epi8(first, position + length));
  return length + static_cast<std::size_t>(std::countr_zero(differ | ~first));
#else
  while (length < longest && candidate[length] == position[length])
    ++length;
  return length;
#endif
}

void matchLengths32(const std::uint8_t *data, std::size_t size, const std::uint32_t *candidates,
                    const std::uint32_t *positions, std::uint32_t *lengths, std::size_t pairs, std::size_t limit) {
  for (std::size_t k = 0; k < pairs; ++k)
    lengths[k] = static_cast<std::uint32_t>(
        matchLength(data + candidates[k], data + positions[k], std::min(limit, size - positions[k])));
}

void BM_MatchLength_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<MatchLengthCase>(state);
  const auto measure = [&](auto *lengthsOf, std::vector<std::uint32_t> &lengths, std::size_t limit) {
    lengthsOf(run.text.data(), run.text.size(), run.candidates.data(), run.positions.data(), lengths.data(),
              lengths.size(), limit);
  };
  std::vector<std::uint32_t> expected(run.lengths.size());
  for (std::size_t limit : {std::size_t{5}, MatchLengthCase::kLimit}) {
    measure(lz::matchLengths, expected, limit);
    measure(matchLengths32, run.lengths, limit);
    if (run.lengths != expected) {
      state.SkipWithError("the vectors and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    measure(matchLengths32, run.lengths, MatchLengthCase::kLimit);
    benchmark::DoNotOptimize(run.lengths.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_MatchLength_Expert_hand)->Arg(kMatchLengthSize)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
