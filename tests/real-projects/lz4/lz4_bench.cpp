#include "lz4hc.h"
#include "xxhash.h"

#include <benchmark/benchmark.h>

#include <string>

static void pattern(benchmark::State &state) {
  std::string text, packed(70000, 0);
  for (unsigned seed = 1; text.size() < 65536; seed = seed * 1103515245u + 12345u)
    text += std::string(200 + (seed >> 16) % 300, (seed >> 28) % 2 ? 'a' : 'b') + static_cast<char>(seed >> 20);
  for (auto _ : state)
    benchmark::DoNotOptimize(LZ4_compress_HC(text.data(), packed.data(), 65536, 70000, 9));
}
BENCHMARK(pattern);

static void xxh32(benchmark::State &state) {
  const std::string text(16384, 'a');
  for (auto _ : state)
    benchmark::DoNotOptimize(XXH32(text.data(), text.size(), 0));
}
BENCHMARK(xxh32);
