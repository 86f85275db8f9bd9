// What the kernel and the expert decode in the benchmark: the same bits.
#pragma once

#include "bench_case.h"

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

/// Literals as in compressed text: 64 symbols, the n-th with a frequency like 1/n; about 5 bits each.
struct PrefixDecodeCase {
  static constexpr std::size_t kSymbols = 64, kSlots = 2048;

  explicit PrefixDecodeCase(std::size_t count) : table(kSlots), out(count) {
    std::vector<std::size_t> weights(kSymbols), lengths(kSymbols), codes(kSymbols);
    std::size_t total = 0, free = kSlots;
    for (std::size_t s = 0; s < kSymbols; ++s)
      total += weights[s] = 10000 / (s + 1);
    for (std::size_t s = 0; s < kSymbols; ++s) { // as many bits as its share asks for, rounded up
      lengths[s] = static_cast<std::size_t>(std::bit_width((total - 1) / weights[s]));
      free -= kSlots >> lengths[s];
    }
    for (std::size_t s = 0; s < kSymbols; ++s) // what that leaves goes to the most frequent ones
      if (const std::size_t slots = kSlots >> lengths[s]; slots <= free) {
        free -= slots;
        --lengths[s];
      }

    // Canonical: shorter codes first. A code is sent from its highest bit on, so the table has it mirrored.
    std::size_t code = 0;
    for (std::size_t length = 1; length <= 11; ++length, code *= 2)
      for (std::size_t s = 0; s < kSymbols; ++s) {
        if (lengths[s] != length)
          continue;
        for (std::size_t bit = 0; bit < length; ++bit)
          codes[s] |= (code >> bit & 1) << (length - 1 - bit);
        for (std::size_t slot = codes[s]; slot < kSlots; slot += std::size_t{1} << length)
          table[slot] = static_cast<std::uint16_t>(s * 16 + length);
        ++code;
      }

    std::mt19937 engine(7);
    std::discrete_distribution<std::size_t> symbol(weights.begin(), weights.end());
    std::size_t used = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t s = symbol(engine);
      in.resize((used + lengths[s] + 7) / 8);
      for (std::size_t bit = 0; bit < lengths[s]; ++bit, ++used)
        in[used / 8] = static_cast<std::uint8_t>(in[used / 8] | (codes[s] >> bit & 1) << used % 8);
    }
  }

  void report(benchmark::State &state) const { testing_support::report(state, out.size(), in.size() + out.size()); }

  std::vector<std::uint8_t> in;
  std::vector<std::uint16_t> table;
  std::vector<std::uint8_t> out;
};

/// The symbols of a block, in the second-level cache; the table is in the first.
constexpr std::int64_t kPrefixDecodeCount = 1 << 17;
