#include "prefix_sum.h"

#include <benchmark/benchmark.h>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace {

struct Sequence {
  std::vector<std::int32_t> in, out;
};

/// Made once a process: the library runs a benchmark function several times over.
Sequence &sequenceFor(const benchmark::State &state) {
  static std::map<std::int64_t, Sequence> made;
  Sequence &sequence = made[state.range(0)];
  if (sequence.in.empty()) {
    std::mt19937 engine(7);
    sequence.in.resize(static_cast<std::size_t>(state.range(0)));
    sequence.out.resize(sequence.in.size());
    for (std::int32_t &value : sequence.in)
      value = static_cast<std::int32_t>(engine() % 2001) - 1000;
  }
  return sequence;
}

void report(benchmark::State &state, std::size_t size) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * size * sizeof(std::int32_t)));
}

void BM_PrefixSum(benchmark::State &state) {
  auto &[in, out] = sequenceFor(state);
  for (auto _ : state) {
    scan::prefixSum(in.data(), out.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state, in.size());
}

/// The C++ standard library's, in the order-free form; no packaged library has a faster one for one thread.
void BM_PrefixSum_Expert_std(benchmark::State &state) {
  auto &[in, out] = sequenceFor(state);
  std::vector<std::int32_t> expected(in.size());
  scan::prefixSum(in.data(), expected.data(), in.size());
  std::inclusive_scan(in.begin(), in.end(), out.begin());
  if (out != expected) {
    state.SkipWithError("std::inclusive_scan sums differently");
    return;
  }
  for (auto _ : state) {
    std::inclusive_scan(in.begin(), in.end(), out.begin());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state, in.size());
}

// Both arrays in the second-level cache; both together larger than the last-level one.
constexpr std::int64_t kCached = 100'000, kMemory = 8'000'000;
BENCHMARK(BM_PrefixSum)->Arg(kCached)->Arg(kMemory)->ArgName("size")->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PrefixSum_Expert_std)->Arg(kCached)->Arg(kMemory)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
