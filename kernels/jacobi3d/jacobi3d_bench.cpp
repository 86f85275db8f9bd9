#include "jacobi3d.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace {

struct Arrays {
  explicit Arrays(std::size_t size) : in(size), out(size) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float &element : in)
      element = value(engine);
  }

  std::vector<float> in, out;
};

// 48: both arrays together stay in a second-level cache of 1 MiB; 128: in no cache below the third level.
void BM_Jacobi3d(benchmark::State &state) {
  const auto edge = static_cast<std::size_t>(state.range(0)), size = edge * edge * edge;
  // Made once: Google Benchmark calls a benchmark several times for each of its results.
  static std::map<std::size_t, Arrays> made;
  Arrays &arrays = made.try_emplace(edge, size).first->second;
  for (auto _ : state) {
    stencils::jacobi3d(arrays.in.data(), arrays.out.data(), 0.4f, 0.1f, edge, edge, edge);
    benchmark::DoNotOptimize(arrays.out.data());
    benchmark::ClobberMemory();
  }
  const std::size_t inner = (edge - 2) * (edge - 2) * (edge - 2);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(inner));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((size + inner) * 4));
}
BENCHMARK(BM_Jacobi3d)->Arg(48)->Arg(128)->ArgName("edge")->Unit(benchmark::kMicrosecond);

} // namespace
