#include "crc32.h"
#include "crc32_bench_case.h"

namespace {

void BM_Crc32(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Crc32Case>(state).data;
  for (auto _ : state) {
    benchmark::DoNotOptimize(checksum::crc32(0, data.data(), data.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Crc32)->Arg(kCrc32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
