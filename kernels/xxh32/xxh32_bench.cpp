#include "xxh32.h"
#include "xxh32_bench_case.h"

namespace {

void BM_Xxh32(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Xxh32Case>(state).data;
  for (auto _ : state) {
    benchmark::DoNotOptimize(hashing::xxh32(data.data(), data.size(), 0));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Xxh32)->Arg(kXxh32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
