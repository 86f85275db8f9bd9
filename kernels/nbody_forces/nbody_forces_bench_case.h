// The bodies of the benchmark, for the kernel and the expert.
#pragma once

#include "bench_case.h"

#include <random>
#include <vector>

struct NbodyForcesCase {
  static constexpr float kSoftening = 0.1f;

  explicit NbodyForcesCase(std::size_t bodies)
      : count(bodies), x(bodies), y(bodies), z(bodies), m(bodies), ax(bodies), ay(bodies), az(bodies) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> position(-1.0f, 1.0f), mass(0.1f, 1.0f);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = position(engine);
      y[i] = position(engine);
      z[i] = position(engine);
      m[i] = mass(engine) / static_cast<float>(count);
    }
  }

  /// An item is what one body does to another.
  void report(benchmark::State &state) const {
    testing_support::report(state, count * count, 7 * count * sizeof(float));
  }

  std::size_t count;
  std::vector<float> x, y, z, m, ax, ay, az;
};

// 28 KiB, and a million interactions: arithmetic alone decides.
inline void nbodyForcesSizes(benchmark::internal::Benchmark *runs) {
  runs->Arg(1024)->ArgName("count")->Unit(benchmark::kMillisecond);
}
