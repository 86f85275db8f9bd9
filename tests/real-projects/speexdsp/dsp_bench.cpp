#include "speex/speex_echo.h"
#include "speex/speex_resampler.h"

#include <benchmark/benchmark.h>

#include <vector>

static void echo(benchmark::State &state) {
  SpeexEchoState *canceller = speex_echo_state_init(128, 8192);
  std::vector<spx_int16_t> far(128, 1000), near(128, 500), out(128);
  for (auto _ : state)
    speex_echo_cancellation(canceller, near.data(), far.data(), out.data());
  speex_echo_state_destroy(canceller);
}
BENCHMARK(echo);

static void resample(benchmark::State &state) {
  SpeexResamplerState *resampler = speex_resampler_init(1, 48000, 16000, 5, nullptr);
  std::vector<float> in(4800, 0.25f), out(4800);
  for (auto _ : state) {
    spx_uint32_t read = 4800, written = 4800;
    speex_resampler_process_float(resampler, 0, in.data(), &read, out.data(), &written);
    benchmark::ClobberMemory();
  }
  speex_resampler_destroy(resampler);
}
BENCHMARK(resample);
