// The same symbols, up to two for each look-up and up to ten for each load. No vectors: each look-up waits for the one
// before. The level stands for shifts by a register that need no flags (BMI2), and for little-endian loads.
#include "prefix_decode.h"
#include "prefix_decode_bench_case.h"

#include <array>
#include <cstring>

#if defined(__AVX2__)

namespace {

constexpr unsigned kBits = 11;
constexpr std::size_t kSlots = 1 << kBits;

/// From the lowest bit: bits of all symbols of the slot (8), number of symbols (8), two symbols (8 each).
std::array<std::uint32_t, kSlots> pairsOf(const std::uint16_t *table) {
  std::array<std::uint32_t, kSlots> pairs;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const std::uint32_t first = table[slot], second = table[slot >> first % 16];
    const std::uint32_t both = first % 16 + second % 16;
    const bool areTwo = second % 16 != 0 && both <= kBits; // else bits that the slot does not hold decide
    const std::uint32_t one = first % 16 | 1 << 8 | first / 16 << 16;
    const std::uint32_t two = both | 2 << 8 | first / 16 << 16 | second / 16 << 24;
    pairs[slot] = first % 16 == 0 ? 0 : areTwo ? two : one;
  }
  return pairs;
}

std::size_t prefixDecodePairs(const std::uint8_t *in, std::size_t size, const std::uint16_t *table, std::uint8_t *out,
                              std::size_t count) {
  const auto pairs = pairsOf(table);
  std::uint64_t bits = 0, available = 0;
  std::size_t next = 0, i = 0;
  std::uint32_t pair = 1;
  while (next + 8 <= size && i + 10 <= count && pair != 0) { // 0: no code; the bits stay where they are
    std::uint64_t word;
    std::memcpy(&word, in + next, sizeof word);
    bits |= word << available; // those above what counts are loaded again, the same ones
    next += (63 - available) / 8;
    available |= 56;
    for (int lookup = 0; lookup < 5; ++lookup) {
      pair = pairs[bits % kSlots];
      const auto symbols = static_cast<std::uint16_t>(pair >> 16);
      std::memcpy(out + i, &symbols, sizeof symbols);
      i += pair >> 8 & 0xff;
      available -= pair & 0xff;
      bits >>= pair & 63;
    }
  }
  bits &= (std::uint64_t{1} << available) - 1;
  for (; i < count; ++i) {
    for (; available < kBits && next < size; available += 8)
      bits |= std::uint64_t{in[next++]} << available;
    const unsigned entry = table[bits % kSlots], length = entry % 16;
    if (length == 0 || length > available)
      return i;
    out[i] = static_cast<std::uint8_t>(entry / 16);
    bits >>= length;
    available -= length;
  }
  return count;
}

void BM_PrefixDecode_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<PrefixDecodeCase>(state);
  const auto decode = [&](auto *function, std::size_t size) {
    return function(run.in.data(), size, run.table.data(), run.out.data(), run.out.size());
  };
  for (std::size_t size : {run.in.size() / 2, run.in.size()}) {
    const std::size_t decoded = decode(coding::prefixDecode, size);
    const auto expected = run.out;
    std::fill(run.out.begin(), run.out.end(), std::uint8_t{255}); // no symbol
    if (decode(prefixDecodePairs, size) != decoded ||
        !std::equal(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(decoded), run.out.begin())) {
      state.SkipWithError("the pairs and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(decode(prefixDecodePairs, run.in.size()));
    benchmark::DoNotOptimize(run.out.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_PrefixDecode_Expert_hand)->Arg(kPrefixDecodeCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
