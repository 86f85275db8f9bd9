// What the benchmark gives to the kernel and to the expert: the same bytes.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Adler32Case {
  explicit Adler32Case(std::size_t size) : data(size) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : data)
      byte = static_cast<std::uint8_t>(engine());
  }

  std::vector<std::uint8_t> data;
};

/// A buffer of a stream's reader, in the second-level cache: checksums are taken of bytes that were just written.
constexpr std::int64_t kAdler32Size = 1 << 16;
