#include "utf8_validate.h"

#include <array>
#include <benchmark/benchmark.h>
#include <random>
#include <vector>

#ifdef UTF8_VALIDATE_SIMDJSON
#include <simdjson.h>
#endif

namespace {

constexpr std::size_t kSize = 1 << 20;

void append(std::vector<std::uint8_t> &to, std::uint32_t scalar) {
  const auto next = [&](std::uint32_t byte) { to.push_back(static_cast<std::uint8_t>(byte)); };
  if (scalar < 0x80)
    return next(scalar);
  if (scalar < 0x800) {
    next(0xc0 | scalar >> 6);
  } else {
    if (scalar < 0x10000) {
      next(0xe0 | scalar >> 12);
    } else {
      next(0xf0 | scalar >> 18);
      next(0x80 | (scalar >> 12 & 0x3f));
    }
    next(0x80 | (scalar >> 6 & 0x3f));
  }
  next(0x80 | (scalar & 0x3f));
}

/// Source code or English: ASCII, one character in 200 from elsewhere.
std::vector<std::uint8_t> makeMostlyAscii() {
  std::mt19937 engine(7);
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < kSize)
    append(bytes, engine() % 200 == 0 ? 0xa0 + engine() % 0x500 : 0x20 + engine() % 0x5f);
  return bytes;
}

/// Sentences in several scripts: runs of Latin, Cyrillic, Chinese and emoji, with spaces.
std::vector<std::uint8_t> makeManyScripts() {
  constexpr std::array<std::array<std::uint32_t, 2>, 4> kScripts{
      {{0x61, 26}, {0x410, 64}, {0x4e00, 20000}, {0x1f300, 0x200}}};
  std::mt19937 engine(7);
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < kSize) {
    const auto [first, count] = kScripts[engine() % 8 ? engine() % 3 : 3];
    for (std::size_t left = 1 + engine() % 40; left > 0; --left)
      append(bytes, engine() % 6 == 0 ? 0x20 : first + engine() % count);
  }
  return bytes;
}

// Made once a process: the library runs a benchmark function several times over.
const std::vector<std::uint8_t> &mostlyAscii() {
  static const auto bytes = makeMostlyAscii();
  return bytes;
}

const std::vector<std::uint8_t> &manyScripts() {
  static const auto bytes = makeManyScripts();
  return bytes;
}

void report(benchmark::State &state, std::size_t size) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

void BM_Utf8Validate(benchmark::State &state, const std::vector<std::uint8_t> &(*make)()) {
  const auto &bytes = make();
  for (auto _ : state) {
    benchmark::DoNotOptimize(text::isUtf8(bytes.data(), bytes.size()));
    benchmark::ClobberMemory();
  }
  report(state, bytes.size());
}
BENCHMARK_CAPTURE(BM_Utf8Validate, mostly_ascii, mostlyAscii)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_Utf8Validate, many_scripts, manyScripts)->Unit(benchmark::kMicrosecond);

#ifdef UTF8_VALIDATE_SIMDJSON
void BM_Utf8Validate_Expert_simdjson(benchmark::State &state, const std::vector<std::uint8_t> &(*make)()) {
  const auto &bytes = make();
  const char *data = reinterpret_cast<const char *>(bytes.data());
  for (std::size_t cut : {0u, 1u}) { // the last character is cut in two where it has more than one byte
    const std::size_t size = bytes.size() - cut;
    if (simdjson::validate_utf8(data, size) != text::isUtf8(bytes.data(), size)) {
      state.SkipWithError("simdjson decides differently");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(simdjson::validate_utf8(data, bytes.size()));
    benchmark::ClobberMemory();
  }
  report(state, bytes.size());
}
BENCHMARK_CAPTURE(BM_Utf8Validate_Expert_simdjson, mostly_ascii, mostlyAscii)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_Utf8Validate_Expert_simdjson, many_scripts, manyScripts)->Unit(benchmark::kMicrosecond);
#endif

} // namespace
