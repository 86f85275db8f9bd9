#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

extern "C" void opj_mct_encode_real(float *c0, float *c1, float *c2, std::size_t n); // mct.h is no C++

static void encode(benchmark::State &state) {
  std::vector<float> r(4096), g(4096), b(4096);
  for (auto _ : state) {
    for (std::size_t i = 0; i < 4096; ++i)
      r[i] = g[i] = b[i] = static_cast<float>(i & 255);
    opj_mct_encode_real(r.data(), g.data(), b.data(), 4096);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(encode);
