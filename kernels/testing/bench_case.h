// What a benchmark and its expert work on: made once a process, because the library runs a benchmark function several
// times over.
#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace testing_support {

/// The Case for a benchmark's first argument, made by Case(std::size_t argument) at the first call with it.
template <typename Case> Case &caseFor(const benchmark::State &state) {
  static std::map<std::int64_t, Case> made;
  const std::int64_t argument = state.range(0);
  return made.try_emplace(argument, static_cast<std::size_t>(argument)).first->second;
}

/// Items and bytes of one call, for the rates that the library prints.
inline void report(benchmark::State &state, std::size_t items, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

/// Times `call` of an expert if it gave what the kernel gives; else the benchmark fails, and names it: "the vectors".
template <typename Call> void timeExpert(benchmark::State &state, const std::string &expert, bool agrees, Call call) {
  if (!agrees) {
    state.SkipWithError((expert + " and the kernel disagree").c_str());
    return;
  }
  for (auto _ : state) {
    call();
    benchmark::ClobberMemory();
  }
}

} // namespace testing_support
