#include "rgb_to_yuv.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <random>
#include <vector>

#ifdef RGB_TO_YUV_LIBYUV
#include <libyuv.h>
#endif

namespace {

std::vector<std::uint8_t> randomPixels(std::size_t pixels) {
  std::mt19937 engine(7);
  std::vector<std::uint8_t> bytes(3 * pixels);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

void report(benchmark::State &state, std::size_t pixels) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pixels));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(6 * pixels));
}

void BM_RgbToYuv(benchmark::State &state) {
  const std::size_t pixels = static_cast<std::size_t>(state.range(0)) * static_cast<std::size_t>(state.range(1));
  const auto rgb = randomPixels(pixels);
  std::vector<std::uint8_t> y(pixels), u(pixels), v(pixels);
  for (auto _ : state) {
    color::rgbToYuv(rgb.data(), y.data(), u.data(), v.data(), pixels);
    benchmark::DoNotOptimize(y.data());
    benchmark::DoNotOptimize(u.data());
    benchmark::DoNotOptimize(v.data());
    benchmark::ClobberMemory();
  }
  report(state, pixels);
}

// Frames of a camera and of a film; neither fits the second-level cache.
BENCHMARK(BM_RgbToYuv)
    ->Args({640, 480})
    ->Args({1920, 1080})
    ->ArgNames({"width", "height"})
    ->Unit(benchmark::kMicrosecond);

#ifdef RGB_TO_YUV_LIBYUV
/// libyuv has no direct way from three bytes a pixel to 4:4:4, so each row goes through four bytes a pixel, in cache.
/// It rounds the coefficients to 7 bits in its vector code: its values may be off by two.
class RowConverter {
public:
  RowConverter(int width, int height) : width_(width), height_(height), row_(4 * static_cast<std::size_t>(width)) {}

  void operator()(const std::uint8_t *rgb, std::uint8_t *y, std::uint8_t *u, std::uint8_t *v) {
    for (int i = 0; i < height_; ++i) {
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(i) * width_;
      libyuv::RAWToARGB(rgb + 3 * first, 3 * width_, row_.data(), 4 * width_, width_, 1);
      libyuv::ARGBToI444(row_.data(), 4 * width_, y + first, width_, u + first, width_, v + first, width_, width_, 1);
    }
  }

private:
  int width_, height_;
  std::vector<std::uint8_t> row_;
};

bool isClose(const std::vector<std::uint8_t> &a, const std::vector<std::uint8_t> &b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 2)
      return false;
  return true;
}

void BM_RgbToYuv_Expert_libyuv(benchmark::State &state) {
  const std::size_t pixels = static_cast<std::size_t>(state.range(0)) * static_cast<std::size_t>(state.range(1));
  const auto rgb = randomPixels(pixels);
  std::vector<std::uint8_t> y(pixels), u(pixels), v(pixels), kernelY(pixels), kernelU(pixels), kernelV(pixels);
  RowConverter convert(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  convert(rgb.data(), y.data(), u.data(), v.data());
  color::rgbToYuv(rgb.data(), kernelY.data(), kernelU.data(), kernelV.data(), pixels);
  if (!isClose(y, kernelY) || !isClose(u, kernelU) || !isClose(v, kernelV)) {
    state.SkipWithError("libyuv converts differently");
    return;
  }
  for (auto _ : state) {
    convert(rgb.data(), y.data(), u.data(), v.data());
    benchmark::DoNotOptimize(y.data());
    benchmark::DoNotOptimize(u.data());
    benchmark::DoNotOptimize(v.data());
    benchmark::ClobberMemory();
  }
  report(state, pixels);
}
BENCHMARK(BM_RgbToYuv_Expert_libyuv)
    ->Args({640, 480})
    ->Args({1920, 1080})
    ->ArgNames({"width", "height"})
    ->Unit(benchmark::kMicrosecond);
#endif

} // namespace
