#include "histogram256.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <random>
#include <vector>

#ifdef HISTOGRAM256_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace {

constexpr std::size_t kUniform = 1 << 20, kWidth = 1920, kHeight = 1080;

std::vector<std::uint8_t> makeUniform() {
  std::mt19937 engine(7);
  std::vector<std::uint8_t> bytes(kUniform);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

/// A frame of eight bits a pixel: flat areas, in which one value follows itself, and slopes with a little noise.
std::vector<std::uint8_t> makeImage() {
  std::mt19937 engine(7);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(kWidth * kHeight);
  int level = 40;
  while (bytes.size() < kWidth * kHeight) {
    const std::size_t length = std::min<std::size_t>(16 + engine() % 200, kWidth * kHeight - bytes.size());
    const bool isFlat = engine() % 2 == 0;
    for (std::size_t i = 0; i < length; ++i) {
      if (!isFlat)
        level = std::clamp(level + static_cast<int>(engine() % 5) - 2, 16, 235);
      bytes.push_back(static_cast<std::uint8_t>(level));
    }
    level = std::clamp(level + static_cast<int>(engine() % 61) - 30, 16, 235);
  }
  return bytes;
}

// Made once a process: the library runs a benchmark function several times over.
const std::vector<std::uint8_t> &uniformBytes() {
  static const auto bytes = makeUniform();
  return bytes;
}

const std::vector<std::uint8_t> &imageBytes() {
  static const auto bytes = makeImage();
  return bytes;
}

void report(benchmark::State &state, std::size_t size) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size + 256 * sizeof(std::uint32_t)));
}

void BM_Histogram256(benchmark::State &state, const std::vector<std::uint8_t> &(*make)()) {
  const auto &data = make();
  std::vector<std::uint32_t> counts(256);
  for (auto _ : state) {
    stats::histogram256(data.data(), data.size(), counts.data());
    benchmark::DoNotOptimize(counts.data());
    benchmark::ClobberMemory();
  }
  report(state, data.size());
}
BENCHMARK_CAPTURE(BM_Histogram256, uniform, uniformBytes)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_Histogram256, image, imageBytes)->Unit(benchmark::kMicrosecond);

#ifdef HISTOGRAM256_OPENCV
/// cv::calcHist on one thread. Its counts are floats, exact for these sizes.
void BM_Histogram256_Expert_opencv(benchmark::State &state, const std::vector<std::uint8_t> &(*make)()) {
  cv::setNumThreads(1);
  const auto &data = make();
  const cv::Mat image(1, static_cast<int>(data.size()), CV_8U, const_cast<std::uint8_t *>(data.data()));
  cv::Mat histogram;
  const int channel = 0, bins = 256;
  const float range[] = {0, 256}, *ranges[] = {range};
  const auto count = [&] { cv::calcHist(&image, 1, &channel, cv::Mat(), histogram, 1, &bins, ranges); };

  count();
  std::vector<std::uint32_t> counts(256);
  stats::histogram256(data.data(), data.size(), counts.data());
  for (int value = 0; value < 256; ++value) {
    if (histogram.at<float>(value) != static_cast<float>(counts[static_cast<std::size_t>(value)])) {
      state.SkipWithError("OpenCV counts differently");
      return;
    }
  }
  for (auto _ : state) {
    count();
    benchmark::DoNotOptimize(histogram.data);
    benchmark::ClobberMemory();
  }
  report(state, data.size());
}
BENCHMARK_CAPTURE(BM_Histogram256_Expert_opencv, uniform, uniformBytes)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_Histogram256_Expert_opencv, image, imageBytes)->Unit(benchmark::kMicrosecond);
#endif

} // namespace
