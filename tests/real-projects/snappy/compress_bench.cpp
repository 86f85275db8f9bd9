#include "snappy.h"

#include <benchmark/benchmark.h>

#include <string>

static void compress(benchmark::State &state) {
  std::string text, packed;
  for (unsigned seed = 1; text.size() < 65536; seed = seed * 1103515245u + 12345u)
    text += std::string("the quick brown fox jumps").substr((seed >> 16) % 20) + std::to_string(seed >> 26);
  for (auto _ : state)
    benchmark::DoNotOptimize(snappy::Compress(text.data(), text.size(), &packed));
}
BENCHMARK(compress);
