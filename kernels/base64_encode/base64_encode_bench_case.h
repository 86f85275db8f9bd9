// What the kernel and the expert encode in the benchmark: the same bytes.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Base64EncodeCase {
  explicit Base64EncodeCase(std::size_t size) : in(size), out((size + 2) / 3 * 4) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : in)
      byte = static_cast<std::uint8_t>(engine());
  }

  std::vector<std::uint8_t> in;
  std::vector<char> out;
};

/// An image in a mail: with its text it fits into the second-level cache. No multiple of three.
inline void base64EncodeSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(100'000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
