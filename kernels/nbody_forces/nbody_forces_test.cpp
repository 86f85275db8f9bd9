#include "nbody_forces.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr double kAbsolute = 1e-4;

struct Bodies {
  explicit Bodies(std::size_t count, unsigned seed = 1)
      : x(randomFloats(count, -1, 1, seed)), y(randomFloats(count, -1, 1, seed + 1)),
        z(randomFloats(count, -1, 1, seed + 2)), m(randomFloats(count, 0.1f, 1, seed + 3)) {
    for (float &mass : m)
      mass /= static_cast<float>(count);
  }
  bool operator==(const Bodies &) const = default;

  std::vector<float> x, y, z, m;
};

/// Pair by pair, in double: what one body gains the other one loses, in proportion to the masses.
std::vector<std::vector<double>> reference(const Bodies &bodies, double softening) {
  const std::size_t count = bodies.x.size();
  std::vector<std::vector<double>> a(3, std::vector<double>(count, 0.0));
  const std::vector<float> *const positions[] = {&bodies.x, &bodies.y, &bodies.z};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double square = softening * softening;
      for (const auto *axis : positions)
        square += std::pow(static_cast<double>((*axis)[j]) - (*axis)[i], 2);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double force =
            (static_cast<double>((*positions[axis])[j]) - (*positions[axis])[i]) * std::pow(square, -1.5);
        a[axis][i] += bodies.m[j] * force;
        a[axis][j] -= bodies.m[i] * force;
      }
    }
  return a;
}

void expectAccelerations(const Bodies &bodies, float softening, double absolute = kAbsolute) {
  const std::size_t count = bodies.x.size();
  SCOPED_TRACE(testing::Message() << count << " bodies");
  const Bodies old = bodies;
  GuardedBuffer ax(count), ay(count), az(count);
  nbody::accelerations(bodies.x.data(), bodies.y.data(), bodies.z.data(), bodies.m.data(), ax.data(), ay.data(),
                       az.data(), count, softening);
  const auto expected = reference(old, softening);
  expectAllNear(ax.data(), expected[0], absolute, 0);
  expectAllNear(ay.data(), expected[1], absolute, 0);
  expectAllNear(az.data(), expected[2], absolute, 0);
  ax.expectGuardsIntact();
  ay.expectGuardsIntact();
  az.expectGuardsIntact();
  EXPECT_TRUE(bodies == old) << "the kernel changed an input";
}

TEST(NbodyForces, EverySmallCount) {
  for (std::size_t count = 0; count <= 70; ++count)
    expectAccelerations(Bodies(count, static_cast<unsigned>(4 * count)), 0.1f);
}

TEST(NbodyForces, ManyBodies) {
  for (std::size_t count : {127u, 257u, 500u, 1024u})
    expectAccelerations(Bodies(count), 0.1f);
}

// One heavy body anywhere: all others fall towards it, and it rests.
TEST(NbodyForces, EachBodyCounts) {
  constexpr std::size_t kCount = 53;
  for (std::size_t heavy = 0; heavy < kCount; ++heavy) {
    Bodies bodies(kCount);
    bodies.m.assign(kCount, 0.0f);
    bodies.m[heavy] = 1.0f;
    expectAccelerations(bodies, 0.2f);
  }
}

// Two bodies 3, 4 and 12 apart, without much softening: 1/13² along (3, 4, 12)/13.
TEST(NbodyForces, TwoBodies) {
  const float x[] = {1, 4}, y[] = {2, 6}, z[] = {-5, 7}, m[] = {169, 338};
  float ax[2], ay[2], az[2];
  nbody::accelerations(x, y, z, m, ax, ay, az, 2, 1e-4f);
  const float first[] = {ax[0], ay[0], az[0]}, second[] = {ax[1], ay[1], az[1]};
  expectAllNear(first, {6.0 / 13, 8.0 / 13, 24.0 / 13}, kAbsolute, 0);
  expectAllNear(second, {-3.0 / 13, -4.0 / 13, -12.0 / 13}, kAbsolute, 0);
}

// The softening decides for bodies that are near, and keeps those in one place from dividing by zero.
TEST(NbodyForces, Softening) {
  Bodies bodies(40);
  for (float softening : {0.1f, 0.5f, 3.0f})
    expectAccelerations(bodies, softening);
  bodies.x.assign(40, 0.25f);
  bodies.y.assign(40, -0.5f);
  bodies.z.assign(40, 1.0f);
  expectAccelerations(bodies, 0.1f);
  for (std::size_t i = 0; i < 40; i += 2)
    bodies.x[i] += 0.001f;
  expectAccelerations(bodies, 0.1f);
}

// Lengths times s and masses times s³: accelerations times s.
TEST(NbodyForces, Magnitudes) {
  for (float scale : {1e-3f, 100.0f, 1e5f}) {
    Bodies bodies(45);
    for (auto *axis : {&bodies.x, &bodies.y, &bodies.z})
      for (float &position : *axis)
        position *= scale;
    for (float &mass : bodies.m)
      mass *= scale * scale * scale;
    expectAccelerations(bodies, 0.1f * scale, kAbsolute * scale);
  }
}

TEST(NbodyForces, StaysWithinItsArrays) {
  for (std::size_t count : {1u, 3u, 16u, 17u, 50u}) {
    const Bodies bodies(count);
    const EdgeBuffer<float> x(bodies.x), y(bodies.y), z(bodies.z), m(bodies.m);
    EdgeBuffer<float> ax(count), ay(count), az(count);
    nbody::accelerations(x.data(), y.data(), z.data(), m.data(), ax.data(), ay.data(), az.data(), count, 0.1f);
    const auto expected = reference(bodies, 0.1f);
    expectAllNear(ax.data(), expected[0], kAbsolute, 0);
    expectAllNear(ay.data(), expected[1], kAbsolute, 0);
    expectAllNear(az.data(), expected[2], kAbsolute, 0);
    for (const auto *out : {&ax, &ay, &az})
      out->expectNothingWrittenBefore();
  }
}

TEST(NbodyForces, SecondCallSeesNewContents) {
  Bodies bodies(33);
  expectAccelerations(bodies, 0.1f);
  bodies.x[0] = -bodies.x[0];
  bodies.m[32] = 0.5f;
  expectAccelerations(bodies, 0.1f);
}

} // namespace
