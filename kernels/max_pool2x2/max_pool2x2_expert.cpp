// The same by hand: two vectors of each row are parted into even and odd columns, and put in order once at the end.
#include "max_pool2x2.h"
#include "max_pool2x2_bench_case.h"

#include <cstring>
#include <limits>

#if defined(__AVX512BW__)
#define POOL_LANES 16
#define POOL_EVEN 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30 // within the lanes of both: one instruction
#define POOL_ODD 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define POOL_ORDER 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15
#elif defined(__AVX2__)
#define POOL_LANES 8
#define POOL_EVEN 0, 2, 8, 10, 4, 6, 12, 14
#define POOL_ODD 1, 3, 9, 11, 5, 7, 13, 15
#define POOL_ORDER 0, 1, 4, 5, 2, 3, 6, 7
#endif

#ifdef POOL_LANES
namespace {

constexpr std::size_t kLanes = POOL_LANES;
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
constexpr float kSmallest = -std::numeric_limits<float>::infinity();

Floats load(const float *from) {
  Floats vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

void pool(const float *upper, const float *lower, float *out) {
  const auto larger = [](Floats value, Floats than) { return value > than ? value : than; };
  Floats largest = Floats{} + kSmallest;
  for (const float *row : {upper, lower}) {
    const Floats left = load(row), right = load(row + kLanes);
    largest = larger(__builtin_shufflevector(left, right, POOL_EVEN), largest);
    largest = larger(__builtin_shufflevector(left, right, POOL_ODD), largest);
  }
  largest = __builtin_shufflevector(largest, largest, POOL_ORDER);
  std::memcpy(out, &largest, sizeof largest);
}

void expert(const float *in, float *out, std::size_t channels, std::size_t height, std::size_t width) {
  const std::size_t outWidth = width / 2;
  for (std::size_t c = 0; c < channels; ++c, in += height * width)
    for (std::size_t y = 0; y < height / 2; ++y, out += outWidth) {
      const float *upper = in + 2 * y * width, *lower = upper + width;
      std::size_t x = 0;
      for (; x + kLanes <= outWidth; x += kLanes)
        pool(upper + 2 * x, lower + 2 * x, out + x);
      if (x < outWidth && outWidth >= kLanes) { // the last vector overlaps the one before
        x = outWidth - kLanes;
        pool(upper + 2 * x, lower + 2 * x, out + x);
        x = outWidth;
      }
      for (; x < outWidth; ++x) {
        float largest = kSmallest;
        for (const float *value : {upper + 2 * x, upper + 2 * x + 1, lower + 2 * x, lower + 2 * x + 1})
          largest = *value > largest ? *value : largest;
        out[x] = largest;
      }
    }
}

void BM_MaxPool2x2_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<MaxPool2x2Case>(state);
  std::vector<float> expected(run.out.size());
  pooling::maxPool2x2(run.in.data(), expected.data(), run.channels, run.kHeight, run.kWidth);
  expert(run.in.data(), run.out.data(), run.channels, run.kHeight, run.kWidth);
  testing_support::timeExpert(state, "the expert", run.out == expected, [&] {
    expert(run.in.data(), run.out.data(), run.channels, run.kHeight, run.kWidth);
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_MaxPool2x2_Expert_hand)->Apply(maxPool2x2Sizes);

} // namespace
#endif
