// What a well-kept library needs for the same checksum: zlib.
#include "crc32.h"
#include "crc32_bench_case.h"

#include <zlib.h>

namespace {

void BM_Crc32_Expert_zlib(benchmark::State &state) {
  const auto &data = testing_support::caseFor<Crc32Case>(state).data;
  const auto size = static_cast<uInt>(data.size());
  testing_support::timeExpert(state, "zlib",
                              ::crc32(0, data.data(), size) == checksum::crc32(0, data.data(), data.size()),
                              [&] { benchmark::DoNotOptimize(::crc32(0, data.data(), size)); });
  testing_support::report(state, data.size(), data.size());
}
BENCHMARK(BM_Crc32_Expert_zlib)->Arg(kCrc32Size)->ArgName("size")->Unit(benchmark::kMicrosecond);

} // namespace
