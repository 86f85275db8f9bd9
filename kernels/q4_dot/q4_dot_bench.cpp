#include "q4_dot.h"

#include <benchmark/benchmark.h>
#include <random>
#include <vector>

namespace {

void BM_DotQ4(benchmark::State &state) {
  const auto blocks = static_cast<std::size_t>(state.range(0)) / quant::kBlockSize;
  std::mt19937 engine(7);
  std::vector<quant::BlockQ4> weights(blocks);
  std::vector<quant::BlockQ8> values(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    weights[b].scale = static_cast<std::uint16_t>(0x2000 + engine() % 0x400);
    values[b].scale = static_cast<std::uint16_t>(0x2400 + engine() % 0x400);
    for (std::uint8_t &nibbles : weights[b].nibbles)
      nibbles = static_cast<std::uint8_t>(engine());
    for (std::int8_t &value : values[b].values)
      value = static_cast<std::int8_t>(engine());
  }

  for (auto _ : state) {
    benchmark::DoNotOptimize(quant::dotQ4(weights.data(), values.data(), blocks));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(blocks * quant::kBlockSize));
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(blocks * (sizeof(quant::BlockQ4) + sizeof(quant::BlockQ8))));
}
BENCHMARK(BM_DotQ4)->Arg(4096)->Arg(11008)->ArgName("weights");

} // namespace
