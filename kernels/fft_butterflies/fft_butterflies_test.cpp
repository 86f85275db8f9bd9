#include "fft_butterflies.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>
#include <complex>
#include <numbers>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;
using Complex = std::complex<double>;

struct Sequence {
  std::vector<float> re, im;

  Complex operator[](std::size_t i) const { return {re[i], im[i]}; }
  std::size_t size() const { return re.size(); }
};

/// Of -1, 0 and 1: no pass makes values more than three times as large, so that all of them stay exact integers.
Sequence integerTable(std::size_t size, unsigned seed) {
  return {randomIntegers(size / 2, 1, seed), randomIntegers(size / 2, 1, seed + 1)};
}

Sequence fourierTable(std::size_t size) {
  Sequence table;
  for (std::size_t k = 0; k < size / 2; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size);
    table.re.push_back(static_cast<float>(std::cos(angle)));
    table.im.push_back(static_cast<float>(std::sin(angle)));
  }
  return table;
}

/// By recursion, the halves first; in double.
std::vector<Complex> reference(const Sequence &x, const Sequence &table, std::size_t first, std::size_t size) {
  if (size <= 1)
    return std::vector<Complex>(size, size == 1 ? x[first] : Complex());
  std::vector<Complex> out = reference(x, table, first, size / 2);
  const std::vector<Complex> second = reference(x, table, first + size / 2, size / 2);
  out.resize(size);
  for (std::size_t k = 0; k < size / 2; ++k) {
    const Complex w = table[k * (x.size() / size)], top = out[k];
    out[k] = top + w * second[k];
    out[k + size / 2] = top - w * second[k];
  }
  return out;
}

/// By its definition, in double, of what x is before the reversal of its bits.
std::vector<Complex> transform(const Sequence &x) {
  const std::size_t size = x.size();
  std::vector<Complex> natural(size), roots(size), out(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < size; bit *= 2)
      reversed = 2 * reversed + (i & bit ? 1 : 0);
    natural[reversed] = x[i];
    roots[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
  }
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i)
      out[k] += natural[i] * roots[i * k % size];
  return out;
}

void expectPasses(const Sequence &x, const Sequence &table, const std::vector<Complex> &expected, double absolute) {
  SCOPED_TRACE(x.size());
  std::vector<double> expectedRe, expectedIm;
  for (const Complex &value : expected) {
    expectedRe.push_back(value.real());
    expectedIm.push_back(value.imag());
  }
  GuardedBuffer re(x.size()), im(x.size());
  std::copy(x.re.begin(), x.re.end(), re.data());
  std::copy(x.im.begin(), x.im.end(), im.data());
  const Sequence old = table;
  fourier::fftButterflies(re.data(), im.data(), table.re.data(), table.im.data(), x.size());
  expectAllNear(re.data(), expectedRe, absolute, 0);
  expectAllNear(im.data(), expectedIm, absolute, 0);
  re.expectGuardsIntact();
  im.expectGuardsIntact();
  EXPECT_TRUE(table.re == old.re && table.im == old.im) << "the kernel changed its table";
}

void expectExact(const Sequence &x, const Sequence &table) {
  expectPasses(x, table, reference(x, table, 0, x.size()), 0);
}

// 0, 1 and all powers of two up to the benchmark's.
TEST(FftButterflies, EverySize) {
  for (std::size_t size = 0; size <= 4096; size = size == 0 ? 1 : 2 * size)
    for (unsigned seed = 1; seed < 40; seed += size < 100 ? 1 : 20)
      expectExact({randomIntegers(size, 3, seed), randomIntegers(size, 3, seed + 50)}, integerTable(size, seed + 100));
}

TEST(FftButterflies, FourierTransform) {
  for (std::size_t size : {1u, 2u, 4u, 8u, 32u, 64u, 256u, 512u}) {
    const Sequence x{randomFloats(size, -1, 1, 3), randomFloats(size, -1, 1, 4)};
    expectPasses(x, fourierTable(size), transform(x), 5e-6 * static_cast<double>(size));
  }
}

TEST(FftButterflies, BenchmarkSize) {
  const Sequence x{randomFloats(4096, -1, 1, 5), randomFloats(4096, -1, 1, 6)}, table = fourierTable(4096);
  expectPasses(x, table, reference(x, table, 0, 4096), 0.02);
}

// One element that is not zero, and one entry of the table: who depends on it, and with which sign.
TEST(FftButterflies, EachElementAndEachEntry) {
  for (std::size_t size : {2u, 16u, 64u, 128u}) {
    const Sequence x{randomIntegers(size, 3, 7), randomIntegers(size, 3, 8)}, table = integerTable(size, 9);
    for (std::size_t at = 0; at < size; ++at) {
      Sequence impulse{std::vector<float>(size, 0.0f), std::vector<float>(size, 0.0f)}, single = impulse;
      (at % 2 ? impulse.re : impulse.im)[at] = 3.0f;
      expectExact(impulse, table);
      single.re.resize(size / 2);
      single.im.resize(size / 2);
      (at % 2 ? single.re : single.im)[at / 2] = 1.0f;
      expectExact(x, single);
    }
  }
}

TEST(FftButterflies, Magnitudes) {
  for (float magnitude : {1e-20f, 1e-3f, 1e5f, 1e30f}) {
    const Sequence x{randomFloats(256, -magnitude, magnitude, 10), randomFloats(256, -magnitude, magnitude, 11)};
    expectPasses(x, fourierTable(256), transform(x), 5e-6 * 256 * magnitude);
  }
}

TEST(FftButterflies, StaysWithinItsArraysAtAnyAlignment) {
  for (std::size_t size : {1u, 2u, 4u, 16u, 32u, 128u}) {
    const Sequence x{randomIntegers(size, 3, 12), randomIntegers(size, 3, 13)}, table = integerTable(size, 14);
    const EdgeBuffer<float> twiddleRe(table.re), twiddleIm(table.im);
    const auto expected = reference(x, table, 0, size);
    for (std::size_t shift = 0; shift < 17; ++shift) { // elements behind re that are not its own
      EdgeBuffer<float> re(size + shift), im(size);
      std::fill(std::copy(x.re.begin(), x.re.end(), re.begin()), re.end(), 99.0f);
      std::copy(x.im.begin(), x.im.end(), im.begin());
      fourier::fftButterflies(re.data(), im.data(), twiddleRe.data(), twiddleIm.data(), size);
      for (std::size_t i = 0; i < size; ++i)
        ASSERT_TRUE(re[i] == expected[i].real() && im[i] == expected[i].imag()) << size << ", element " << i;
      ASSERT_TRUE(std::all_of(re.begin() + size, re.end(), [](float value) { return value == 99; }));
      re.expectNothingWrittenBefore();
      im.expectNothingWrittenBefore();
    }
  }
}

TEST(FftButterflies, SecondCallSeesNewContents) {
  Sequence x{randomIntegers(64, 3, 15), randomIntegers(64, 3, 16)}, table = integerTable(64, 17);
  expectExact(x, table);
  x.re[63] += 1.0f;
  expectExact(x, table);
  table.im[31] = table.im[31] == 0 ? 1.0f : 0.0f;
  expectExact(x, table);
}

} // namespace
