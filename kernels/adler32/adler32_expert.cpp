// What a well-kept library needs for the same checksum: zlib.
#include "adler32.h"
#include "adler32_bench_case.h"

#include <zlib.h>

namespace {

void BM_Adler32_Expert_zlib(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Adler32Case>(state).data;
  const auto size = static_cast<uInt>(data.size());
  testing_support::timeExpert(state, "zlib",
                              ::adler32(1, data.data(), size) == checksum::adler32(1, data.data(), data.size()),
                              [&] { benchmark::DoNotOptimize(::adler32(1, data.data(), size)); });
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Adler32_Expert_zlib)->Arg(kAdler32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
