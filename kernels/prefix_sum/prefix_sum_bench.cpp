#include "prefix_sum.h"

#include <benchmark/benchmark.h>
#include <numeric>
#include <random>
#include <vector>

namespace {

std::vector<std::int32_t> randomIntegers(std::size_t size) {
  std::mt19937 engine(7);
  std::vector<std::int32_t> values(size);
  for (std::int32_t &value : values)
    value = static_cast<std::int32_t>(engine() % 2001) - 1000;
  return values;
}

void report(benchmark::State &state, std::size_t size) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(2 * size * sizeof(std::int32_t)));
}

void BM_PrefixSum(benchmark::State &state) {
  const auto in = randomIntegers(static_cast<std::size_t>(state.range(0)));
  std::vector<std::int32_t> out(in.size());
  for (auto _ : state) {
    scan::prefixSum(in.data(), out.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state, in.size());
}

/// The C++ standard library's, in the order-free form; no packaged library has a faster one for one thread.
void BM_PrefixSum_Expert_std(benchmark::State &state) {
  const auto in = randomIntegers(static_cast<std::size_t>(state.range(0)));
  std::vector<std::int32_t> out(in.size()), expected(in.size());
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

// Both arrays in the second-level cache; both far larger than the last-level one.
constexpr std::int64_t kCached = 100'000, kMemory = 16'000'000;
BENCHMARK(BM_PrefixSum)->Arg(kCached)->Arg(kMemory)->ArgName("size")->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_PrefixSum_Expert_std)->Arg(kCached)->Arg(kMemory)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
