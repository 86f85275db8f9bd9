#include "jacobi3d.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <random>
#include <vector>

namespace {

// 64: both arrays together stay in a second-level cache of 2 MiB; 160: in no cache below the third level.
void BM_Jacobi3d(benchmark::State &state) {
  const auto edge = static_cast<std::size_t>(state.range(0)), size = edge * edge * edge;
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> in(size), out(size);
  for (float &element : in)
    element = value(engine);

  for (auto _ : state) {
    stencils::jacobi3d(in.data(), out.data(), 0.4f, 0.1f, edge, edge, edge);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>((edge - 2) * (edge - 2) * (edge - 2)));
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>((size + (edge - 2) * (edge - 2) * (edge - 2)) * 4));
}
BENCHMARK(BM_Jacobi3d)->Arg(64)->Arg(160)->ArgName("edge");

} // namespace
