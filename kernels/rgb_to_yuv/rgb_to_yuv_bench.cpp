#include "rgb_to_yuv.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#ifdef RGB_TO_YUV_LIBYUV
#include <libyuv.h>
#endif

namespace {

struct Planes {
  std::vector<std::uint8_t> y, u, v;
  explicit Planes(std::size_t pixels) : y(pixels), u(pixels), v(pixels) {}
};

struct Frame {
  std::size_t width, height;
  std::vector<std::uint8_t> rgb;
  Planes yuv;

  std::size_t pixels() const { return width * height; }

  Frame(std::size_t wide, std::size_t high) : width(wide), height(high), rgb(3 * wide * high), yuv(wide * high) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : rgb)
      byte = static_cast<std::uint8_t>(engine());
  }
};

/// Made once a process: the library runs a benchmark function several times over.
Frame &frameFor(const benchmark::State &state) {
  static std::map<std::int64_t, Frame> made;
  const auto width = static_cast<std::size_t>(state.range(0)), height = static_cast<std::size_t>(state.range(1));
  return made.try_emplace(state.range(0), width, height).first->second;
}

void report(benchmark::State &state, std::size_t pixels) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pixels));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(6 * pixels));
}

void BM_RgbToYuv(benchmark::State &state) {
  Frame &frame = frameFor(state);
  auto &[y, u, v] = frame.yuv;
  for (auto _ : state) {
    color::rgbToYuv(frame.rgb.data(), y.data(), u.data(), v.data(), frame.pixels());
    benchmark::DoNotOptimize(y.data());
    benchmark::DoNotOptimize(u.data());
    benchmark::DoNotOptimize(v.data());
    benchmark::ClobberMemory();
  }
  report(state, frame.pixels());
}

// Frames of a camera and of a film; neither fits the second-level cache.
BENCHMARK(BM_RgbToYuv)
    ->Args({640, 480})
    ->Args({1920, 1080})
    ->ArgNames({"width", "height"})
    ->Unit(benchmark::kMicrosecond);

#ifdef RGB_TO_YUV_LIBYUV
/// libyuv has no direct way from three bytes a pixel to 4:4:4, so each row goes through four bytes a pixel, in cache.
void convertRows(const Frame &frame, Planes &yuv, std::vector<std::uint8_t> &row) {
  const int width = static_cast<int>(frame.width);
  for (std::size_t first = 0; first < frame.pixels(); first += frame.width) {
    libyuv::RAWToARGB(&frame.rgb[3 * first], 3 * width, row.data(), 4 * width, width, 1);
    libyuv::ARGBToI444(row.data(), 4 * width, &yuv.y[first], width, &yuv.u[first], width, &yuv.v[first], width, width,
                       1);
  }
}

/// libyuv rounds y as the kernel does, u and v not: half of these are off by one.
bool isSame(const Planes &a, const Planes &b) {
  const auto isClose = [](int left, int right) { return std::abs(left - right) <= 1; };
  return a.y == b.y && std::equal(a.u.begin(), a.u.end(), b.u.begin(), isClose) &&
         std::equal(a.v.begin(), a.v.end(), b.v.begin(), isClose);
}

void BM_RgbToYuv_Expert_libyuv(benchmark::State &state) {
  Frame &frame = frameFor(state);
  Planes exact(frame.pixels());
  std::vector<std::uint8_t> row(4 * frame.width);
  color::rgbToYuv(frame.rgb.data(), exact.y.data(), exact.u.data(), exact.v.data(), frame.pixels());
  convertRows(frame, frame.yuv, row);
  if (!isSame(frame.yuv, exact)) {
    state.SkipWithError("libyuv converts differently");
    return;
  }
  for (auto _ : state) {
    convertRows(frame, frame.yuv, row);
    benchmark::DoNotOptimize(frame.yuv.y.data());
    benchmark::DoNotOptimize(frame.yuv.u.data());
    benchmark::DoNotOptimize(frame.yuv.v.data());
    benchmark::ClobberMemory();
  }
  report(state, frame.pixels());
}
BENCHMARK(BM_RgbToYuv_Expert_libyuv)
    ->Args({640, 480})
    ->Args({1920, 1080})
    ->ArgNames({"width", "height"})
    ->Unit(benchmark::kMicrosecond);
#endif

} // namespace
