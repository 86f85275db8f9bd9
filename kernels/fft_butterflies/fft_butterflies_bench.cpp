#include "fft_butterflies.h"
#include "fft_butterflies_bench_case.h"

namespace {

void BM_FftButterflies(benchmark::State &state) {
  auto &run = testing_support::caseFor<FftButterfliesCase>(state);
  for (auto _ : state) {
    run.restore();
    fourier::fftButterflies(run.re.data(), run.im.data(), run.twiddleRe.data(), run.twiddleIm.data(), run.size);
    benchmark::DoNotOptimize(run.re.data());
    benchmark::DoNotOptimize(run.im.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_FftButterflies)->Apply(fftButterfliesSizes);

} // namespace
