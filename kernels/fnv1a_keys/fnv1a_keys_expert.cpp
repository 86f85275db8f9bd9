// The same hashes with one key in each lane of a vector: the multiplications of a key wait for each other, those of
// different keys do not.
#include "fnv1a_keys.h"
#include "fnv1a_keys_bench_case.h"

#include <cstring>

#if defined(__AVX512DQ__) || defined(__AVX2__)
#include <immintrin.h>

namespace {

#if defined(__AVX512DQ__)
using Lanes = std::uint64_t __attribute__((vector_size(64)));
Lanes evenOf(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
}
Lanes oddOf(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
#else
using Lanes = std::uint64_t __attribute__((vector_size(32)));
Lanes evenOf(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6);
}
Lanes oddOf(Lanes a, Lanes b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7);
}
#endif
constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(std::uint64_t);

Lanes load(const std::uint8_t *from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

Lanes timesPrime(Lanes hash) {
#if defined(__AVX512DQ__)
  return hash * 0x100000001b3;
#else // no multiplication of 64 bits, but the prime is 2^40 + 0x1b3
  const __m256i factor = _mm256_set1_epi64x(0x1b3);
  const Lanes low = Lanes(_mm256_mul_epu32(__m256i(hash), factor));
  const Lanes high = Lanes(_mm256_mul_epu32(__m256i(hash >> 32), factor));
  return low + ((high + (hash << 8)) << 32);
#endif
}

/// For keys of 16 bytes; those left over, and keys of other sizes, go to the kernel.
void fnv1aKeysInLanes(const std::uint8_t *keys, std::uint64_t *hashes, std::size_t count, std::size_t keySize) {
  constexpr std::size_t kVectors = 4, kStep = kVectors * kLanes; // four chains of multiplications side by side
  std::size_t k = 0;
  for (; keySize == 16 && k + kStep <= count; k += kStep) {
    Lanes hash[kVectors], first[kVectors], second[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::uint8_t *from = keys + 16 * (k + kLanes * v);
      const Lanes front = load(from), back = load(from + sizeof(Lanes));
      hash[v] = Lanes{} + 0xcbf29ce484222325;
      first[v] = evenOf(front, back);
      second[v] = oddOf(front, back);
    }
    for (std::uint64_t bit = 0; bit < 64; bit += 8)
      for (std::size_t v = 0; v < kVectors; ++v)
        hash[v] = timesPrime(hash[v] ^ (first[v] >> bit & 0xff));
    for (std::uint64_t bit = 0; bit < 64; bit += 8)
      for (std::size_t v = 0; v < kVectors; ++v)
        hash[v] = timesPrime(hash[v] ^ (second[v] >> bit & 0xff));
    std::memcpy(hashes + k, hash, sizeof hash);
  }
  hashing::fnv1aKeys(keys + keySize * k, hashes + k, count - k, keySize);
}

void BM_Fnv1aKeys_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Fnv1aKeysCase>(state);
  const std::size_t count = run.hashes.size();
  std::vector<std::uint64_t> expected(count);
  hashing::fnv1aKeys(run.keys.data(), expected.data(), count, Fnv1aKeysCase::kKeySize);
  fnv1aKeysInLanes(run.keys.data(), run.hashes.data(), count, Fnv1aKeysCase::kKeySize);
  testing_support::timeExpert(state, "the lanes", run.hashes == expected, [&] {
    fnv1aKeysInLanes(run.keys.data(), run.hashes.data(), count, Fnv1aKeysCase::kKeySize);
    benchmark::DoNotOptimize(run.hashes.data());
  });
  run.report(state);
}
BENCHMARK(BM_Fnv1aKeys_Expert_hand)->Arg(kFnv1aKeysCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
