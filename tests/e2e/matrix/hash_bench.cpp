#include "hash.h"

#include <benchmark/benchmark.h>
#include <vector>

template <class Hash> static void measure(benchmark::State &state, Hash hash) {
  const std::vector<std::uint8_t> text(20000, 7);
  for (auto _ : state)
    benchmark::DoNotOptimize(hash(text.data(), text.size()));
}

static void BM_Hash(benchmark::State &state) {
  measure(state, polynomialHash);
}
BENCHMARK(BM_Hash);

static void BM_Salted(benchmark::State &state) {
  measure(state, saltedHash);
}
BENCHMARK(BM_Salted);
