// The same filter by hand: a vector of channels at a time, four pixels of a row from one set of loads.
#include "depthwise_conv3x3.h"
#include "depthwise_conv3x3_bench_case.h"

#include <cmath>
#include <cstring>

#if defined(__AVX512BW__)
#define DEPTHWISE_LANES 16
#elif defined(__AVX2__)
#define DEPTHWISE_LANES 8
#endif

#ifdef DEPTHWISE_LANES
namespace {

constexpr std::size_t kLanes = DEPTHWISE_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));

template <class Value> Value load(const float *from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// The channels of a Value of `kPixels` neighbours in a row: each loaded pixel counts for up to three of them.
template <class Value, std::size_t kPixels>
void filterPixels(const float *in, const float *weights, Value bias, float *out, std::size_t width,
                  std::size_t channels) {
  Value sums[kPixels];
  for (Value &sum : sums)
    sum = bias;
  for (std::size_t i = 0; i < 3; ++i) {
    Value pixels[kPixels + 2], taps[3];
    for (std::size_t k = 0; k < kPixels + 2; ++k)
      pixels[k] = load<Value>(in + (i * width + k) * channels);
    for (std::size_t j = 0; j < 3; ++j)
      taps[j] = load<Value>(weights + (i * 3 + j) * channels);
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < kPixels; ++k)
        sums[k] += pixels[k + j] * taps[j];
  }
  for (std::size_t k = 0; k < kPixels; ++k)
    std::memcpy(out + k * channels, &sums[k], sizeof sums[k]);
}

template <class Value> void filterRow(const DepthwiseConv3x3Case &run, std::size_t y, std::size_t c, float *out) {
  const float *in = &run.in[y * run.kWidth * run.channels + c], *weights = &run.weights[c];
  const Value bias = load<Value>(&run.bias[c]);
  std::size_t x = 0;
  for (; x + 6 <= run.kWidth; x += 4)
    filterPixels<Value, 4>(in + x * run.channels, weights, bias, out + x * run.channels, run.kWidth, run.channels);
  for (; x + 2 < run.kWidth; ++x)
    filterPixels<Value, 1>(in + x * run.channels, weights, bias, out + x * run.channels, run.kWidth, run.channels);
}

void expert(DepthwiseConv3x3Case &run) {
  for (std::size_t y = 0; y + 2 < run.kHeight; ++y) {
    float *out = &run.out[y * (run.kWidth - 2) * run.channels];
    std::size_t c = 0;
    for (; c + kLanes <= run.channels; c += kLanes)
      filterRow<Floats>(run, y, c, out + c);
    for (; c < run.channels; ++c)
      filterRow<float>(run, y, c, out + c);
  }
}

void BM_DepthwiseConv3x3_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<DepthwiseConv3x3Case>(state);
  std::vector<float> expected(run.out.size());
  filters::depthwiseConv3x3(run.in.data(), run.weights.data(), run.bias.data(), expected.data(), run.kHeight,
                            run.kWidth, run.channels);
  expert(run);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.out[i] - expected[i]) <= 1e-5f)) {
      state.SkipWithError("the expert and the kernel disagree");
      return;
    }
  for (auto _ : state) {
    expert(run);
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_DepthwiseConv3x3_Expert_hand)->Apply(depthwiseConv3x3Sizes);

} // namespace
#endif
