// What the kernel and the expert restore in the benchmark: the same filtered image.
#pragma once

#include "bench_case.h"

#include <cstdlib>
#include <random>
#include <vector>

/// A square RGBA image, slopes with a little noise, in whose rows the five filters occur alike.
struct PngUnfilterCase {
  static constexpr std::size_t kBytesPerPixel = 4;

  explicit PngUnfilterCase(std::size_t width) : rows(width), rowBytes(width * kBytesPerPixel), image(rows * rowBytes) {
    std::mt19937 engine(7);
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = static_cast<std::uint8_t>((i % rowBytes / 4 + i / rowBytes * (i % 4)) / 4 + engine() % 8);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto filter = static_cast<unsigned>(engine() % 5);
      in.push_back(static_cast<std::uint8_t>(filter));
      for (std::size_t i = 0; i < rowBytes; ++i)
        in.push_back(static_cast<std::uint8_t>(image[r * rowBytes + i] - prediction(filter, r, i)));
    }
    out.resize(image.size());
  }

  void report(benchmark::State &state) const { testing_support::report(state, rows, in.size() + out.size()); }

  std::size_t rows, rowBytes;
  std::vector<std::uint8_t> image, in, out;

private:
  int prediction(unsigned filter, std::size_t r, std::size_t i) const {
    const std::uint8_t *byte = &image[r * rowBytes + i];
    const bool isFirst = i < kBytesPerPixel;
    const int left = isFirst ? 0 : *(byte - kBytesPerPixel), above = r == 0 ? 0 : *(byte - rowBytes);
    const int corner = isFirst || r == 0 ? 0 : *(byte - rowBytes - kBytesPerPixel);
    const int toLeft = std::abs(above - corner), toAbove = std::abs(left - corner);
    const int toCorner = std::abs(left + above - 2 * corner);
    const int paeth = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    const int predictions[] = {0, left, above, (left + above) / 2, paeth};
    return predictions[filter];
  }
};

// 256 × 256 pixels: both sides, 512 KB, lie in the second-level cache.
inline void pngUnfilterSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(256)->ArgName("width")->Unit(benchmark::kMicrosecond);
}
