#include "hamming_distance.h"

#include <benchmark/benchmark.h>
#include <random>
#include <vector>

#ifdef HAMMING_DISTANCE_GMP
#include <gmp.h>
#endif

namespace {

std::vector<std::uint64_t> randomWords(std::size_t words, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint64_t> values(words);
  for (std::uint64_t &word : values)
    word = engine();
  return values;
}

void report(benchmark::State &state, std::size_t words) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words * 64));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * words * sizeof(std::uint64_t)));
}

void BM_HammingDistance(benchmark::State &state) {
  const auto words = static_cast<std::size_t>(state.range(0));
  const auto a = randomWords(words, 7), b = randomWords(words, 8);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bits::hammingDistance(a.data(), b.data(), words));
    benchmark::ClobberMemory();
  }
  report(state, words);
}

// Both vectors in the second-level cache; both far larger than the last-level one.
constexpr std::int64_t kCached = 32'000, kMemory = 4'000'000;
BENCHMARK(BM_HammingDistance)->Arg(kCached)->Arg(kMemory)->ArgName("words")->Unit(benchmark::kMicrosecond);

#ifdef HAMMING_DISTANCE_GMP
static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NAIL_BITS == 0);

/// mpn_hamdist, the loop below mpz_hamdist.
void BM_HammingDistance_Expert_gmp(benchmark::State &state) {
  const auto words = static_cast<std::size_t>(state.range(0));
  const auto a = randomWords(words, 7), b = randomWords(words, 8);
  const std::vector<mp_limb_t> first(a.begin(), a.end()), second(b.begin(), b.end());
  const auto limbs = static_cast<mp_size_t>(words);
  if (mpn_hamdist(first.data(), second.data(), limbs) != bits::hammingDistance(a.data(), b.data(), words)) {
    state.SkipWithError("GMP counts differently");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(mpn_hamdist(first.data(), second.data(), limbs));
    benchmark::ClobberMemory();
  }
  report(state, words);
}
BENCHMARK(BM_HammingDistance_Expert_gmp)->Arg(kCached)->Arg(kMemory)->ArgName("words")->Unit(benchmark::kMicrosecond);
#endif

} // namespace
