#include "hash_probe.h"
#include "hash_probe_bench_case.h"

namespace {

void BM_HashProbe(benchmark::State &state) {
  auto &run = testing_support::caseFor<HashProbeCase>(state);
  for (auto _ : state) {
    hashing::lookUp(run.slotKeys.data(), run.slotPayloads.data(), run.slotKeys.size(), run.keys.data(),
                    run.payloads.data(), run.keys.size());
    benchmark::DoNotOptimize(run.payloads.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_HashProbe)->Apply(hashProbeSizes);

} // namespace
