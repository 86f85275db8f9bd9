#include "sgemm.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

struct Shape {
  std::size_t M, N, K;
};

// Integers: any order of summation gives the same product, exactly.
constexpr int kLargest = 15;

/// Sum of outer products in double: not the kernel's order of loops.
std::vector<double> reference(const std::vector<float> &A, const std::vector<float> &B, const Shape &shape) {
  std::vector<double> C(shape.M * shape.N, 0.0);
  for (std::size_t p = 0; p < shape.K; ++p)
    for (std::size_t i = 0; i < shape.M; ++i)
      for (std::size_t j = 0; j < shape.N; ++j)
        C[i * shape.N + j] += static_cast<double>(A[i * shape.K + p]) * B[p * shape.N + j];
  return C;
}

void expectProduct(const std::vector<float> &A, const std::vector<float> &B, const Shape &shape, double absolute) {
  const std::vector<float> oldA = A, oldB = B;
  GuardedBuffer C(shape.M * shape.N);
  blas::sgemm(A.data(), B.data(), C.data(), shape.M, shape.N, shape.K);
  expectAllNear(C.data(), reference(oldA, oldB, shape), absolute, 0);
  C.expectGuardsIntact();
  EXPECT_TRUE(A == oldA && B == oldB) << "the kernel changed an input";
}

void expectExactProduct(const Shape &shape, unsigned seed) {
  SCOPED_TRACE(testing::Message() << shape.M << "x" << shape.N << "x" << shape.K);
  expectProduct(randomIntegers(shape.M * shape.K, kLargest, seed),
                randomIntegers(shape.K * shape.N, kLargest, seed + 1), shape, 0);
}

// Every tail of a block of up to 17 rows, columns or products.
TEST(Sgemm, SmallShapes) {
  for (std::size_t M = 1; M <= 9; ++M)
    for (std::size_t N = 1; N <= 20; ++N)
      for (std::size_t K : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 17u})
        expectExactProduct({M, N, K}, static_cast<unsigned>(M * 1000 + N * 30 + K));
}

class Shapes : public testing::TestWithParam<Shape> {};

TEST_P(Shapes, Integers) {
  expectExactProduct(GetParam(), 5);
}

TEST_P(Shapes, Fractions) {
  const Shape shape = GetParam();
  expectProduct(randomFloats(shape.M * shape.K, -1, 1, 11), randomFloats(shape.K * shape.N, -1, 1, 12), shape, 0.001);
}

INSTANTIATE_TEST_SUITE_P(Sgemm, Shapes,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 300, 1}, Shape{300, 1, 2}, Shape{1, 1, 1000},
                                         Shape{13, 31, 37}, Shape{31, 37, 13}, Shape{37, 13, 31}, Shape{16, 32, 64},
                                         Shape{64, 16, 32}, Shape{15, 33, 65}, Shape{17, 63, 129}, Shape{33, 127, 100},
                                         Shape{61, 97, 131}, Shape{5, 257, 255}, Shape{255, 5, 257}, Shape{257, 255, 5},
                                         Shape{96, 100, 256}, Shape{101, 128, 256}, Shape{128, 256, 67}),
                         [](const auto &info) {
                           return std::to_string(info.param.M) + "x" + std::to_string(info.param.N) + "x" +
                                  std::to_string(info.param.K);
                         });

TEST(Sgemm, BenchmarkShape) {
  expectExactProduct({256, 256, 256}, 21);
}

// Row i of A picks row i of B: the transposed or a shifted operand shows as such.
TEST(Sgemm, IdentityOnEitherSide) {
  constexpr std::size_t N = 35;
  std::vector<float> identity(N * N, 0.0f);
  for (std::size_t i = 0; i < N; ++i)
    identity[i * N + i] = 1.0f;
  const auto values = randomFloats(N * N, -9, 9, 31);
  expectProduct(identity, values, {N, N, N}, 0);
  expectProduct(values, identity, {N, N, N}, 0);
}

TEST(Sgemm, Magnitudes) {
  constexpr Shape kShape{19, 23, 41};
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f}) {
    SCOPED_TRACE(magnitude);
    expectProduct(randomFloats(kShape.M * kShape.K, -magnitude, magnitude, 41),
                  randomFloats(kShape.K * kShape.N, -magnitude, magnitude, 42), kShape,
                  1e-5 * magnitude * magnitude * kShape.K);
  }
}

// Operands that start anywhere and end where memory ends: loads past a row's end and loads that need alignment crash.
TEST(Sgemm, StaysWithinItsOperands) {
  for (const Shape &shape : {Shape{1, 1, 1}, Shape{3, 17, 5}, Shape{5, 15, 33}, Shape{17, 31, 7}, Shape{33, 49, 65}}) {
    const auto A = randomIntegers(shape.M * shape.K, kLargest, 51), B = randomIntegers(shape.K * shape.N, kLargest, 52);
    const EdgeBuffer<float> edgeA(A), edgeB(B);
    EdgeBuffer<float> C(shape.M * shape.N);
    blas::sgemm(edgeA.data(), edgeB.data(), C.data(), shape.M, shape.N, shape.K);
    expectAllNear(C.data(), reference(A, B, shape), 0, 0);
    C.expectNothingWrittenBefore();
  }
}

TEST(Sgemm, NoProductsGiveZero) {
  const float unused = 3.0f;
  GuardedBuffer C(7 * 19);
  blas::sgemm(&unused, &unused, C.data(), 7, 19, 0);
  expectAllNear(C.data(), std::vector<double>(7 * 19, 0.0), 0, 0);
  C.expectGuardsIntact();
}

TEST(Sgemm, NothingToWrite) {
  const auto values = randomFloats(64, -1, 1, 61);
  GuardedBuffer C(64);
  blas::sgemm(values.data(), values.data(), C.data(), 0, 8, 8);
  blas::sgemm(values.data(), values.data(), C.data(), 8, 0, 8);
  C.expectGuardsIntact();
  for (std::size_t i = 0; i < C.size(); ++i)
    ASSERT_TRUE(std::isnan(C[i])) << "element " << i << " was written";
}

// Same pointers, same sizes, other contents: an answer kept from the call before, or added to it, is wrong.
TEST(Sgemm, SecondCallSeesNewContents) {
  constexpr Shape kShape{9, 21, 18};
  auto A = randomIntegers(kShape.M * kShape.K, kLargest, 71), B = randomIntegers(kShape.K * kShape.N, kLargest, 72);
  GuardedBuffer C(kShape.M * kShape.N);
  blas::sgemm(A.data(), B.data(), C.data(), kShape.M, kShape.N, kShape.K);
  A.back() += 1.0f;
  B.front() -= 2.0f;
  blas::sgemm(A.data(), B.data(), C.data(), kShape.M, kShape.N, kShape.K);
  expectAllNear(C.data(), reference(A, B, kShape), 0, 0);
}

} // namespace
