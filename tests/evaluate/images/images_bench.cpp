#include "images.h"

#include <benchmark/benchmark.h>

#include <deque>

static void BM_Running(benchmark::State &state) {
  std::vector<float> pixels(1000 * 4, 3), sums(pixels.size());
  images::Image in{1000, 4, pixels.data()}, out{1000, 4, sums.data()};
  for (auto _ : state) {
    images::running(in, out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Running);

static void BM_Total(benchmark::State &state) {
  std::deque<images::Node> nodes;
  const images::Node *list = nullptr;
  for (int i = 0; i < 1000; ++i)
    list = &nodes.emplace_back(static_cast<float>(i % 7), list);
  for (auto _ : state)
    benchmark::DoNotOptimize(images::total(list));
}
BENCHMARK(BM_Total);
