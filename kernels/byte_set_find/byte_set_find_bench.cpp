#include "byte_set_find.h"
#include "byte_set_find_bench_case.h"

namespace {

void BM_ByteSetFind(benchmark::State &state) {
  const auto &[text, isMember] = testing_support::caseFor<ByteSetFindCase>(state);
  if (text::findInSet(text.data(), text.size(), isMember.data()) != text.size() - 1) {
    state.SkipWithError("only the last byte is in the set");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(text::findInSet(text.data(), text.size(), isMember.data()));
    benchmark::ClobberMemory();
  }
  testing_support::report(state, text.size(), text.size());
}
BENCHMARK(BM_ByteSetFind)->Apply(byteSetFindSizes);

} // namespace
