#include "nbody_forces.h"
#include "nbody_forces_bench_case.h"

namespace {

void BM_NbodyForces(benchmark::State &state) {
  auto &run = testing_support::caseFor<NbodyForcesCase>(state);
  for (auto _ : state) {
    nbody::accelerations(run.x.data(), run.y.data(), run.z.data(), run.m.data(), run.ax.data(), run.ay.data(),
                         run.az.data(), run.count, NbodyForcesCase::kSoftening);
    benchmark::DoNotOptimize(run.ax.data());
    benchmark::DoNotOptimize(run.ay.data());
    benchmark::DoNotOptimize(run.az.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_NbodyForces)->Apply(nbodyForcesSizes);

} // namespace
