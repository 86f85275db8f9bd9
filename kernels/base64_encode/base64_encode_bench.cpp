#include "base64_encode.h"
#include "base64_encode_bench_case.h"

namespace {

void BM_Base64Encode(benchmark::State &state) {
  auto &[in, out] = testing_support::caseFor<Base64EncodeCase>(state);
  for (auto _ : state) {
    base64::encode(in.data(), out.data(), in.size());
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  testing_support::report(state, in.size(), in.size() + out.size());
}
BENCHMARK(BM_Base64Encode)->Apply(base64EncodeSizes);

} // namespace
