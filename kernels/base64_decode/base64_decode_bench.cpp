#include "base64_decode.h"
#include "base64_decode_bench_case.h"

namespace {

void BM_Base64Decode(benchmark::State &state) {
  auto &[text, out] = testing_support::caseFor<Base64DecodeCase>(state);
  if (base64::decode(text.data(), out.data(), text.size()) != out.size() - 1) {
    state.SkipWithError("the text is no Base64");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(base64::decode(text.data(), out.data(), text.size()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, text.size(), text.size() + out.size());
}
BENCHMARK(BM_Base64Decode)->Apply(base64DecodeSizes);

} // namespace
