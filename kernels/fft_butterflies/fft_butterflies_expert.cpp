// The same passes by hand: those within a vector one after the other in registers, the others two at a time. The table
// is packed first, so that each pass reads its factors one behind the other. size must be at least 4 · kLanes.
#include "fft_butterflies.h"
#include "fft_butterflies_bench_case.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <cstring>
#include <utility>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
#else
constexpr std::size_t kLanes = 8;
#endif
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

struct Complex {
  Vector re, im;
};

Complex load(const float *re, const float *im) {
  Complex value;
  std::memcpy(&value.re, re, sizeof value.re);
  std::memcpy(&value.im, im, sizeof value.im);
  return value;
}

void store(const Complex &value, float *re, float *im) {
  std::memcpy(re, &value.re, sizeof value.re);
  std::memcpy(im, &value.im, sizeof value.im);
}

void butterfly(Complex &top, Complex &bottom, const Complex &w) {
  const Complex product{bottom.re * w.re - bottom.im * w.im, bottom.re * w.im + bottom.im * w.re};
  bottom = {top.re - product.re, top.im - product.im};
  top = {top.re + product.re, top.im + product.im};
}

/// The passes below kLanes: each lane adds its own factor times the bottom to the top; bottom lanes have a factor of
/// the other sign. `w` is at the factors of pass Half.
template <std::size_t Half, std::size_t... Lane>
Complex passesWithin(const Complex &x, const Complex *w, std::index_sequence<Lane...> lanes) {
  if constexpr (Half == kLanes) {
    return x;
  } else {
    const auto top = [](Vector v) { return __builtin_shufflevector(v, v, (Lane & ~Half)...); };
    const auto bottom = [](Vector v) { return __builtin_shufflevector(v, v, (Lane | Half)...); };
    const Vector re = bottom(x.re), im = bottom(x.im);
    return passesWithin<2 * Half>({top(x.re) + w->re * re - w->im * im, top(x.im) + w->re * im + w->im * re}, w + 1,
                                  lanes);
  }
}

void takeEvenOnes(const float *__restrict from, float *__restrict to, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    to[k] = from[2 * k];
}

/// Of one pass: half as many as those of the pass after it, whose odd ones are left out.
struct Factors {
  const float *re, *im;
};

void transform(FftButterfliesCase &run) {
  static std::vector<float> packedRe, packedIm;
  const std::size_t size = run.size;
  float *const re = run.re.data(), *const im = run.im.data();
  packedRe.resize(size);
  packedIm.resize(size);
  Factors pass[64] = {}; // by log2(half)
  Complex within[8] = {};
  std::size_t number = static_cast<std::size_t>(__builtin_ctzll(size));
  pass[--number] = {run.twiddleRe.data(), run.twiddleIm.data()};
  for (std::size_t half = size / 4; half >= 1; half /= 2, --number) {
    takeEvenOnes(pass[number].re, &packedRe[half], half);
    takeEvenOnes(pass[number].im, &packedIm[half], half);
    pass[number - 1] = {&packedRe[half], &packedIm[half]};
  }
  for (std::size_t half = 1; half < kLanes; half *= 2, ++number)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float sign = lane & half ? -1.0f : 1.0f;
      within[number].re[lane] = sign * pass[number].re[lane % half];
      within[number].im[lane] = sign * pass[number].im[lane % half];
    }
  for (std::size_t i = 0; i < size; i += kLanes)
    store(passesWithin<1>(load(re + i, im + i), within, std::make_index_sequence<kLanes>()), re + i, im + i);

  std::size_t half = kLanes;
  for (; 2 * half < size; half *= 4, number += 2)
    for (std::size_t first = 0; first < size; first += 4 * half)
      for (std::size_t k = 0; k < half; k += kLanes) {
        Complex x[4];
        for (std::size_t quarter = 0; quarter < 4; ++quarter)
          x[quarter] = load(re + first + quarter * half + k, im + first + quarter * half + k);
        const Complex w = load(pass[number].re + k, pass[number].im + k);
        butterfly(x[0], x[1], w);
        butterfly(x[2], x[3], w);
        const Factors &next = pass[number + 1];
        butterfly(x[0], x[2], load(next.re + k, next.im + k));
        butterfly(x[1], x[3], load(next.re + half + k, next.im + half + k));
        for (std::size_t quarter = 0; quarter < 4; ++quarter)
          store(x[quarter], re + first + quarter * half + k, im + first + quarter * half + k);
      }
  for (std::size_t k = 0; half < size && k < half; k += kLanes) {
    Complex top = load(re + k, im + k), bottom = load(re + half + k, im + half + k);
    butterfly(top, bottom, load(pass[number].re + k, pass[number].im + k));
    store(top, re + k, im + k);
    store(bottom, re + half + k, im + half + k);
  }
}

bool agreesWithKernel(const FftButterfliesCase &run) {
  std::vector<float> re = run.inRe, im = run.inIm;
  fourier::fftButterflies(re.data(), im.data(), run.twiddleRe.data(), run.twiddleIm.data(), run.size);
  for (std::size_t i = 0; i < run.size; ++i)
    if (!(std::abs(run.re[i] - re[i]) <= 0.02f && std::abs(run.im[i] - im[i]) <= 0.02f))
      return false;
  return true;
}

void BM_FftButterflies_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<FftButterfliesCase>(state);
  run.restore();
  transform(run);
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    run.restore();
    transform(run);
    benchmark::DoNotOptimize(run.re.data());
  });
  run.report(state);
}
BENCHMARK(BM_FftButterflies_Expert_hand)->Apply(fftButterfliesSizes);

} // namespace
#endif
