#include "fnv1a_keys.h"
#include "fnv1a_keys_bench_case.h"

namespace {

void BM_Fnv1aKeys(benchmark::State &state) {
  auto &run = testing_support::caseFor<Fnv1aKeysCase>(state);
  for (auto _ : state) {
    hashing::fnv1aKeys(run.keys.data(), run.hashes.data(), run.hashes.size(), Fnv1aKeysCase::kKeySize);
    benchmark::DoNotOptimize(run.hashes.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_Fnv1aKeys)->Arg(kFnv1aKeysCount)->ArgName("count")->Unit(benchmark::kMicrosecond);

} // namespace
