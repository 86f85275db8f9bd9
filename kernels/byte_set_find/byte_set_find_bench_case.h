// What the kernel and the expert search in the benchmark: the same text.
#pragma once

#include "bench_case.h"

#include <array>
#include <random>
#include <vector>

struct ByteSetFindCase {
  /// Words in UTF-8, with one character in 50 from outside ASCII, and what JSON must escape: a quote at the very end.
  explicit ByteSetFindCase(std::size_t size) {
    std::mt19937 engine(7);
    while (text.size() + 3 < size) {
      if (engine() % 50 == 0)
        text.insert(text.end(), {0xc3, static_cast<std::uint8_t>(0xa0 + engine() % 32)});
      else
        text.push_back(engine() % 6 == 0 ? ' ' : static_cast<std::uint8_t>('a' + engine() % 26));
    }
    text.resize(size, '.');
    text.back() = '"';
    for (std::size_t control = 0; control < 32; ++control)
      isMember[control] = true;
    isMember['"'] = isMember['\\'] = isMember[0x7f] = true;
  }

  std::vector<std::uint8_t> text;
  std::array<bool, 256> isMember{};
};

/// A long string of a document, in the second-level cache.
inline void byteSetFindSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(100'000)->ArgName("size")->Unit(benchmark::kMicrosecond);
}
