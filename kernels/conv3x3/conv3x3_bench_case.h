// What the kernel and the expert filter in the benchmark: the same image.
#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

struct Conv3x3Case {
  explicit Conv3x3Case(const benchmark::State &state)
      : height(static_cast<std::size_t>(state.range(0))), width(static_cast<std::size_t>(state.range(1))),
        in(height * width), weights(9), out(height * width) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> value(-1.0f, 1.0f);
    for (float &pixel : in)
      pixel = value(engine);
    for (float &weight : weights)
      weight = value(engine);
  }

  /// An item is one pixel: nine multiplications with their additions.
  void report(benchmark::State &state) const {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((in.size() + out.size()) * 4));
  }

  std::size_t height, width;
  std::vector<float> in, weights, out;
};

/// Made once: Google Benchmark calls a benchmark several times for each of its results.
inline Conv3x3Case &conv3x3Case(const benchmark::State &state) {
  static std::map<std::int64_t, Conv3x3Case> cases;
  return cases.try_emplace(state.range(0), state).first->second;
}

inline void conv3x3Sizes(benchmark::internal::Benchmark *runs) {
  runs->Args({1024, 1024})->ArgNames({"height", "width"})->Unit(benchmark::kMillisecond);
}
