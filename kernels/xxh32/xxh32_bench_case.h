// What the kernel and the expert hash in the benchmark: the same bytes.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct Xxh32Case {
  explicit Xxh32Case(std::size_t size) : data(size) {
    std::mt19937 engine(7);
    for (std::uint8_t &byte : data)
      byte = static_cast<std::uint8_t>(engine());
  }

  std::vector<std::uint8_t> data;
};

/// A block of an LZ4 frame, which is hashed when it was just written or read: it stays in the second-level cache.
constexpr std::int64_t kXxh32Size = 1 << 18;
