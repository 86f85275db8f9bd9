// What the kernel and the expert decode in the benchmark: the same text.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Base64DecodeCase {
  /// Of random bytes, and so of all digits; the last group is padded.
  explicit Base64DecodeCase(std::size_t size) : text(size), out(size / 4 * 3) {
    std::mt19937 engine(7);
    for (char &character : text)
      character = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[engine() % 64];
    text.back() = '=';
  }

  std::vector<char> text;
  std::vector<std::uint8_t> out;
};

/// An image in a mail: with its bytes it fits into the second-level cache.
inline void base64DecodeSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(120'000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
