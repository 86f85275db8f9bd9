#include "adler32.h"
#include "adler32_bench_case.h"

namespace {

void BM_Adler32(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Adler32Case>(state).data;
  for (auto _ : state) {
    benchmark::DoNotOptimize(checksum::adler32(1, data.data(), data.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Adler32)->Arg(kAdler32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
