// The same hash with the four sums in one vector: two multiplications for each stripe instead of eight. What remains is
// the latency of an addition, a rotation and a multiplication, which follow one another from stripe to stripe. clang 19
// makes the same of the kernel.
#include "xxh32.h"
#include "xxh32_bench_case.h"

#include <bit>
#include <cstring>

#if defined(__AVX2__)

namespace {

using Words = std::uint32_t __attribute__((vector_size(16)));
constexpr std::uint32_t kPrime1 = 0x9E3779B1, kPrime2 = 0x85EBCA77, kPrime3 = 0xC2B2AE3D, kPrime4 = 0x27D4EB2F,
                        kPrime5 = 0x165667B1;

template <typename T> T load(const std::uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

Words rotated(Words words, Words left) {
  return words << left | words >> (32 - left);
}

std::uint32_t xxh32InLanes(const std::uint8_t *data, std::size_t size, std::uint32_t seed) {
  std::uint32_t hash = seed + kPrime5;
  std::size_t i = 0;
  if (size >= 16) {
    Words sums = Words{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1} + seed;
    const Words thirteen = Words{} + 13;
    const auto stripe = [&](std::size_t at) {
      sums = rotated(sums + load<Words>(data + at) * kPrime2, thirteen) * kPrime1;
    };
    for (; i + 64 <= size; i += 64) {
      stripe(i);
      stripe(i + 16);
      stripe(i + 32);
      stripe(i + 48);
    }
    for (; i + 16 <= size; i += 16)
      stripe(i);
    const Words turned = rotated(sums, Words{1, 7, 12, 18});
    hash = turned[0] + turned[1] + turned[2] + turned[3];
  }
  hash += static_cast<std::uint32_t>(size);
  for (; i + 4 <= size; i += 4)
    hash = std::rotl(hash + load<std::uint32_t>(data + i) * kPrime3, 17) * kPrime4;
  for (; i < size; ++i)
    hash = std::rotl(hash + data[i] * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 15) * kPrime2;
  hash = (hash ^ hash >> 13) * kPrime3;
  return hash ^ hash >> 16;
}

void BM_Xxh32_Expert_hand(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Xxh32Case>(state).data;
  for (std::size_t cut = 0; cut < 80; ++cut) { // every kind of end
    const std::size_t size = data.size() - cut;
    if (xxh32InLanes(data.data(), size, 0) != hashing::xxh32(data.data(), size, 0)) {
      state.SkipWithError("the lanes and the kernel disagree");
      return;
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(xxh32InLanes(data.data(), data.size(), 0));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Xxh32_Expert_hand)->Arg(kXxh32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace

#endif
