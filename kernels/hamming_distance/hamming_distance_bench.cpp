#include "hamming_distance.h"

#include <benchmark/benchmark.h>
#include <map>
#include <random>
#include <vector>

#ifdef HAMMING_DISTANCE_GMP
#include <gmp.h>
#endif

namespace {

struct Pair {
  std::vector<std::uint64_t> a, b;
};

/// Made once a process: the library runs a benchmark function several times over.
const Pair &pairFor(const benchmark::State &state) {
  static std::map<std::int64_t, Pair> made;
  Pair &pair = made[state.range(0)];
  if (pair.a.empty()) {
    std::mt19937_64 engine(7);
    for (std::vector<std::uint64_t> *vector : {&pair.a, &pair.b}) {
      vector->resize(static_cast<std::size_t>(state.range(0)));
      for (std::uint64_t &word : *vector)
        word = engine();
    }
  }
  return pair;
}

void report(benchmark::State &state, std::size_t words) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words * 64));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * words * sizeof(std::uint64_t)));
}

void BM_HammingDistance(benchmark::State &state) {
  const auto &[a, b] = pairFor(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bits::hammingDistance(a.data(), b.data(), a.size()));
    benchmark::ClobberMemory();
  }
  report(state, a.size());
}

// Both vectors in the second-level cache; both together larger than the last-level one.
constexpr std::int64_t kCached = 32'000, kMemory = 4'000'000;
BENCHMARK(BM_HammingDistance)->Arg(kCached)->Arg(kMemory)->ArgName("words")->Unit(benchmark::kMicrosecond);

#ifdef HAMMING_DISTANCE_GMP
static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t) && GMP_NAIL_BITS == 0);

/// mpn_hamdist, the loop below mpz_hamdist.
void BM_HammingDistance_Expert_gmp(benchmark::State &state) {
  const auto &[a, b] = pairFor(state);
  const std::vector<mp_limb_t> first(a.begin(), a.end()), second(b.begin(), b.end());
  const auto limbs = static_cast<mp_size_t>(a.size());
  if (mpn_hamdist(first.data(), second.data(), limbs) != bits::hammingDistance(a.data(), b.data(), a.size())) {
    state.SkipWithError("GMP counts differently");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(mpn_hamdist(first.data(), second.data(), limbs));
    benchmark::ClobberMemory();
  }
  report(state, a.size());
}
BENCHMARK(BM_HammingDistance_Expert_gmp)->Arg(kCached)->Arg(kMemory)->ArgName("words")->Unit(benchmark::kMicrosecond);
#endif

} // namespace
