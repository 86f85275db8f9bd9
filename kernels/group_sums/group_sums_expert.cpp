// By hand: neighbouring rows add to tables of their own, so that a sum is not needed again before it is stored; the
// groups of eight rows come with one load.
#include "group_sums.h"
#include "group_sums_bench_case.h"

#include <cstring>

namespace {

constexpr std::size_t kTables = 8;

void groupSums(const std::int32_t *values, const std::uint8_t *groups, std::size_t size, std::int64_t *sums) {
  std::int64_t tables[kTables][256] = {};
  std::size_t i = 0;
  for (; i + kTables <= size; i += kTables) {
    std::uint64_t eight;
    std::memcpy(&eight, groups + i, sizeof eight);
    tables[0][eight & 255] += values[i];
    tables[1][eight >> 8 & 255] += values[i + 1];
    tables[2][eight >> 16 & 255] += values[i + 2];
    tables[3][eight >> 24 & 255] += values[i + 3];
    tables[4][eight >> 32 & 255] += values[i + 4];
    tables[5][eight >> 40 & 255] += values[i + 5];
    tables[6][eight >> 48 & 255] += values[i + 6];
    tables[7][eight >> 56] += values[i + 7];
  }
  for (; i < size; ++i)
    tables[0][groups[i]] += values[i];
  for (std::size_t group = 0; group < 256; ++group) {
    std::int64_t sum = 0;
    for (const auto &table : tables)
      sum += table[group];
    sums[group] = sum;
  }
}

void BM_GroupSums_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<GroupSumsCase>(state);
  std::vector<std::int64_t> expected(256);
  aggregation::groupSums(run.values.data(), run.groups.data(), run.values.size(), expected.data());
  groupSums(run.values.data(), run.groups.data(), run.values.size(), run.sums.data());
  testing_support::timeExpert(state, "the expert", run.sums == expected, [&] {
    groupSums(run.values.data(), run.groups.data(), run.values.size(), run.sums.data());
    benchmark::DoNotOptimize(run.sums.data());
  });
  run.report(state);
}
BENCHMARK(BM_GroupSums_Expert_hand)->Apply(groupSumsSizes);

} // namespace
