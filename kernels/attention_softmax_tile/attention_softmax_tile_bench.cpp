#include "attention_softmax_tile.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

void BM_SoftmaxTile(benchmark::State &state) {
  const auto rows = static_cast<std::size_t>(state.range(0)), columns = static_cast<std::size_t>(state.range(1));
  std::mt19937 engine(7);
  std::normal_distribution<float> value(0.0f, 8.0f);
  std::vector<float> scores(rows * columns), mask(rows * columns), weights(rows * columns), rowMax(rows), rowSum(rows);
  for (float &score : scores)
    score = value(engine);
  for (std::size_t i = 0; i < mask.size(); ++i) // causal, with the diagonal in the last 64 columns
    mask[i] = i % columns > i / columns + columns - 64 ? -std::numeric_limits<float>::infinity() : 0.0f;

  for (auto _ : state) {
    attention::softmaxTile(scores.data(), mask.data(), 0.125f, weights.data(), rowMax.data(), rowSum.data(), rows,
                           columns);
    benchmark::DoNotOptimize(weights.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(scores.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((3 * scores.size() + 2 * rows) * 4));
}
BENCHMARK(BM_SoftmaxTile)->Args({64, 64})->Args({64, 256})->ArgNames({"rows", "columns"});

} // namespace
