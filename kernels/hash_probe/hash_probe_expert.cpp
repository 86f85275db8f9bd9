// By hand: eight neighbouring slots are compared at once, with the key and with the marker. In a table that is half
// full that nearly always decides, so that no branch depends on where a key stands, and searches overlap.
#include "hash_probe.h"
#include "hash_probe_bench_case.h"

#if defined(__AVX2__)

#include <bit>
#include <immintrin.h>

namespace {

unsigned maskOf(__m256i lanes) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes)));
}

/// Rare: a run of more than eight slots, or around the end of the table.
[[gnu::noinline]] std::uint32_t lookUpOne(const std::uint32_t *slotKeys, const std::uint32_t *slotPayloads,
                                          std::size_t slots, std::size_t slot, std::uint32_t key) {
  while (slotKeys[slot] != hashing::kEmpty && slotKeys[slot] != key)
    slot = (slot + 1) & (slots - 1);
  return slotKeys[slot] == hashing::kEmpty ? 0 : slotPayloads[slot];
}

void lookUp(const std::uint32_t *slotKeys, const std::uint32_t *slotPayloads, std::size_t slots,
            const std::uint32_t *keys, std::uint32_t *payloads, std::size_t count) {
  const int shift = 32 - std::countr_zero(slots);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = keys[i];
    const std::size_t slot = (key * hashing::kMultiplier) >> shift;
    if (slot + 8 > slots) [[unlikely]] {
      payloads[i] = lookUpOne(slotKeys, slotPayloads, slots, slot, key);
      continue;
    }
    const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(slotKeys + slot));
    const __m256i isEmpty = _mm256_cmpeq_epi32(lanes, _mm256_setzero_si256());
    const __m256i isKey = _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(static_cast<int>(key)));
    const unsigned empty = maskOf(isEmpty), ends = maskOf(_mm256_or_si256(isEmpty, isKey));
    if (ends == 0) [[unlikely]] {
      payloads[i] = lookUpOne(slotKeys, slotPayloads, slots, slot, key);
      continue;
    }
    const int first = std::countr_zero(ends);
    const std::uint32_t isFound = ~(empty >> first) & 1; // a mask, not a condition: half of all keys are not found
    payloads[i] = slotPayloads[slot + static_cast<std::size_t>(first)] & (0 - isFound);
  }
}

void BM_HashProbe_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<HashProbeCase>(state);
  std::vector<std::uint32_t> expected(run.keys.size());
  hashing::lookUp(run.slotKeys.data(), run.slotPayloads.data(), run.slotKeys.size(), run.keys.data(), expected.data(),
                  run.keys.size());
  const auto lookUpAll = [&run] {
    lookUp(run.slotKeys.data(), run.slotPayloads.data(), run.slotKeys.size(), run.keys.data(), run.payloads.data(),
           run.keys.size());
  };
  lookUpAll();
  testing_support::timeExpert(state, "the expert", run.payloads == expected, [&] {
    lookUpAll();
    benchmark::DoNotOptimize(run.payloads.data());
  });
  run.report(state);
}
BENCHMARK(BM_HashProbe_Expert_hand)->Apply(hashProbeSizes);

} // namespace

#endif
