// The same step by hand: four rows at once, so that a row that is loaded serves the row above it, itself and the one
// below. The width must be at least kLanes + 2, as the benchmark's is.
#include "heat2d.h"
#include "heat2d_bench_case.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
#else
constexpr std::size_t kLanes = 8;
#endif
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

Vector load(const float *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

/// Rows of inner points; `in` and `out` are at the first one's begin.
template <std::size_t Rows> void stepRows(const float *in, float *out, std::size_t width, float rate) {
  const float centre = 1.0f - 4.0f * rate;
  const std::size_t last = width - 1 - kLanes;
  for (std::size_t begin = 1; begin < width - 1; begin += kLanes) {
    const std::size_t x = std::min(begin, last); // the last vector repeats some results of the one before it
    Vector column[Rows + 2];
    for (std::size_t row = 0; row < Rows + 2; ++row)
      column[row] = load(in + row * width + x - width);
    for (std::size_t row = 0; row < Rows; ++row) {
      const float *const at = in + row * width + x;
      const Vector neighbours = (column[row] + column[row + 2]) + (load(at - 1) + load(at + 1));
      const Vector result = centre * column[row + 1] + rate * neighbours;
      std::memcpy(out + row * width + x, &result, sizeof result);
    }
  }
  for (std::size_t row = 0; row < Rows; ++row) {
    out[row * width] = in[row * width];
    out[(row + 1) * width - 1] = in[(row + 1) * width - 1];
  }
}

void step(const Heat2dCase &run, float *out) {
  const float *const in = run.in.data();
  const std::size_t width = run.width, last = (run.height - 1) * width;
  std::copy_n(in, width, out);
  std::copy_n(in + last, width, out + last);
  std::size_t row = width;
  for (; row + 4 * width <= last; row += 4 * width)
    stepRows<4>(in + row, out + row, width, Heat2dCase::kRate);
  for (; row < last; row += width)
    stepRows<1>(in + row, out + row, width, Heat2dCase::kRate);
}

bool agreesWithKernel(const Heat2dCase &run) {
  std::vector<float> expected(run.out.size());
  stencils::heatStep(run.in.data(), expected.data(), run.height, run.width, Heat2dCase::kRate);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(run.out[i] - expected[i]) <= 1e-6f))
      return false;
  return true;
}

void BM_Heat2d_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<Heat2dCase>(state);
  step(run, run.out.data());
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    step(run, run.out.data());
    benchmark::DoNotOptimize(run.out.data());
  });
  run.report(state);
}
BENCHMARK(BM_Heat2d_Expert_hand)->Apply(heat2dSizes);

} // namespace
#endif
