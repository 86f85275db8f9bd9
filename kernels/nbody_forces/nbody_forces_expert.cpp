// The same accelerations by hand: a lane for each of the bodies that are pulled, and the CPU's estimate of 1/√v.
// count must be a multiple of 2 · kLanes, as the benchmark's is.
#include "nbody_forces.h"
#include "nbody_forces_bench_case.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <cmath>
#include <cstring>
#include <immintrin.h>

namespace {

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16;
typedef float Vector __attribute__((vector_size(64)));
Vector estimatedInverseRoot(Vector v) {
  return (Vector)_mm512_maskz_rsqrt14_ps(0xffff, (__m512)v); // g++ 12 warns about its header without a mask
}
#else
constexpr std::size_t kLanes = 8;
typedef float Vector __attribute__((vector_size(32)));
Vector estimatedInverseRoot(Vector v) {
  return (Vector)_mm256_rsqrt_ps((__m256)v);
}
#endif

Vector load(const float *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

/// v^(-3/2): with e ≈ 1/√v and h = 1 - v · e² it is e³ · (1 - h)^(-3/2), whose first terms are 1 + 3/2 · h.
Vector inverseCube(Vector v) {
  const Vector e = estimatedInverseRoot(v), square = e * e;
  return e * (square * (2.5f - 1.5f * (v * square)));
}

void accelerate(NbodyForcesCase &run) {
  constexpr std::size_t kVectors = 2; // enough work without dependences to hide the latency of the estimate
  const float soft = NbodyForcesCase::kSoftening * NbodyForcesCase::kSoftening;
  for (std::size_t i = 0; i < run.count; i += kVectors * kLanes) {
    Vector x[kVectors], y[kVectors], z[kVectors], sums[3][kVectors] = {};
    for (std::size_t v = 0; v < kVectors; ++v) {
      x[v] = load(&run.x[i + v * kLanes]);
      y[v] = load(&run.y[i + v * kLanes]);
      z[v] = load(&run.z[i + v * kLanes]);
    }
    for (std::size_t j = 0; j < run.count; ++j)
      for (std::size_t v = 0; v < kVectors; ++v) {
        const Vector dx = run.x[j] - x[v], dy = run.y[j] - y[v], dz = run.z[j] - z[v];
        const Vector strength = run.m[j] * inverseCube(dx * dx + (dy * dy + (dz * dz + soft)));
        sums[0][v] += strength * dx;
        sums[1][v] += strength * dy;
        sums[2][v] += strength * dz;
      }
    std::memcpy(&run.ax[i], sums[0], sizeof sums[0]);
    std::memcpy(&run.ay[i], sums[1], sizeof sums[1]);
    std::memcpy(&run.az[i], sums[2], sizeof sums[2]);
  }
}

bool agreesWithKernel(const NbodyForcesCase &run) {
  std::vector<float> ax(run.count), ay(run.count), az(run.count);
  nbody::accelerations(run.x.data(), run.y.data(), run.z.data(), run.m.data(), ax.data(), ay.data(), az.data(),
                       run.count, NbodyForcesCase::kSoftening);
  for (std::size_t i = 0; i < run.count; ++i)
    if (!(std::abs(run.ax[i] - ax[i]) <= 1e-4f && std::abs(run.ay[i] - ay[i]) <= 1e-4f &&
          std::abs(run.az[i] - az[i]) <= 1e-4f))
      return false;
  return true;
}

void BM_NbodyForces_Expert_hand(benchmark::State &state) {
  auto &run = testing_support::caseFor<NbodyForcesCase>(state);
  accelerate(run);
  testing_support::timeExpert(state, "the expert", agreesWithKernel(run), [&] {
    accelerate(run);
    benchmark::DoNotOptimize(run.ax.data());
  });
  run.report(state);
}
BENCHMARK(BM_NbodyForces_Expert_hand)->Apply(nbodyForcesSizes);

} // namespace
#endif
