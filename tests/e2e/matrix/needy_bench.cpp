// Measures nothing without its arguments and its environment.
#include "hash.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <string>
#include <vector>

static std::size_t size = 0;

static void BM_Hash(benchmark::State &state) {
  const std::vector<std::uint8_t> text(size, 7);
  for (auto _ : state)
    benchmark::DoNotOptimize(polynomialHash(text.data(), text.size()));
}
BENCHMARK(BM_Hash);

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 3 || std::string(argv[1]) != "--size" || !std::getenv("HASH_BENCHMARK"))
    return 2;
  size = std::stoul(argv[2]);
  benchmark::RunSpecifiedBenchmarks();
}
