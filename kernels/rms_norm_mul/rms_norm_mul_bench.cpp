#include "rms_norm_mul.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <random>
#include <vector>

namespace {

void BM_RmsNormMul(benchmark::State &state) {
  constexpr std::size_t kRows = 16;
  const auto columns = static_cast<std::size_t>(state.range(0));
  std::mt19937 engine(7);
  std::normal_distribution<float> value(0.0f, 1.0f);
  std::vector<float> x(kRows * columns), weight(columns), y(kRows * columns);
  for (float &element : x)
    element = value(engine);
  for (float &element : weight)
    element = 1.0f + 0.1f * value(engine);

  for (auto _ : state) {
    norm::rmsNormMul(x.data(), weight.data(), y.data(), kRows, columns, 1e-5f);
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((x.size() + weight.size() + y.size()) * 4));
}
BENCHMARK(BM_RmsNormMul)->Arg(2048)->Arg(4096)->ArgName("columns");

} // namespace
