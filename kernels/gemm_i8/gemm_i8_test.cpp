#include "gemm_i8.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::int8_t>;

struct Shape {
  std::size_t M, N, K;
};

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes values(size);
  for (std::int8_t &value : values)
    value = static_cast<std::int8_t>(engine() % 256);
  return values;
}

/// The ends of the type only: sums of two products, or of four, that do not fit in 16 bits.
Bytes extremes(std::size_t size, unsigned seed) {
  Bytes values = randomBytes(size, seed);
  for (std::int8_t &value : values)
    value = value < 0 ? -128 : 127;
  return values;
}

/// Sums of outer products, in 64 bits.
std::vector<std::int32_t> reference(const Bytes &A, const Bytes &B, const Shape &shape) {
  std::vector<std::int64_t> sums(shape.M * shape.N, 0);
  for (std::size_t p = 0; p < shape.K; ++p)
    for (std::size_t i = 0; i < shape.M; ++i)
      for (std::size_t j = 0; j < shape.N; ++j)
        sums[i * shape.N + j] += std::int64_t{A[i * shape.K + p]} * B[j * shape.K + p];
  std::vector<std::int32_t> C(sums.size());
  for (std::size_t i = 0; i < C.size(); ++i)
    C[i] = static_cast<std::int32_t>(sums[i]);
  return C;
}

/// What the kernel leaves alone keeps a pattern that is no sum of these tests.
void expectProduct(const Bytes &A, const Bytes &B, const Shape &shape) {
  SCOPED_TRACE(testing::Message() << shape.M << "x" << shape.N << "x" << shape.K);
  const EdgeBuffer<std::int8_t> edgeA(A), edgeB(B);
  EdgeBuffer<std::int32_t> C(shape.M * shape.N);
  quantised::gemmI8(edgeA.data(), edgeB.data(), C.data(), shape.M, shape.N, shape.K);
  expectSame(C.data(), reference(A, B, shape));
  C.expectNothingWrittenBefore();
}

void expectRandomProduct(const Shape &shape, unsigned seed) {
  expectProduct(randomBytes(shape.M * shape.K, seed), randomBytes(shape.N * shape.K, seed + 1), shape);
}

// Every tail of a block of rows, columns or products.
TEST(GemmI8, SmallShapes) {
  for (std::size_t M = 1; M <= 9; ++M)
    for (std::size_t N : {1u, 2u, 3u, 5u, 8u, 15u, 16u, 17u, 33u})
      for (std::size_t K : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 15u, 16u, 17u, 31u, 33u})
        expectRandomProduct({M, N, K}, static_cast<unsigned>(M * 1000 + N * 50 + K));
}

TEST(GemmI8, EveryNumberOfProducts) {
  for (std::size_t K = 0; K <= 270; ++K) {
    expectRandomProduct({2, 3, K}, static_cast<unsigned>(K));
    expectProduct(extremes(3 * K, 1), extremes(2 * K, 2), {3, 2, K});
  }
}

TEST(GemmI8, Shapes) {
  for (const Shape &shape : {Shape{1, 1, 5003}, Shape{1, 300, 67}, Shape{300, 1, 67}, Shape{31, 37, 129},
                             Shape{64, 32, 64}, Shape{65, 33, 63}, Shape{17, 66, 515}, Shape{40, 50, 260}})
    expectRandomProduct(shape, 3);
}

// Every product of two bytes.
TEST(GemmI8, EveryPairOfValues) {
  Bytes all(256);
  for (std::size_t i = 0; i < 256; ++i)
    all[i] = static_cast<std::int8_t>(i);
  expectProduct(all, all, {256, 256, 1});
}

// Sums that fill 31 bits, at the largest K that is permitted.
TEST(GemmI8, LargestSums) {
  constexpr std::size_t K = 131071;
  Bytes A(2 * K, -128), B(2 * K, -128);
  std::fill_n(B.begin(), K, std::int8_t{127});
  expectProduct(A, B, {2, 2, K});
  std::fill_n(A.begin(), K, std::int8_t{127});
  expectProduct(A, B, {2, 2, K});
}

// A single product: with its own partner, and in its own sum.
TEST(GemmI8, EachPosition) {
  constexpr Shape kShape{3, 5, 71};
  const Bytes B = randomBytes(kShape.N * kShape.K, 4);
  for (std::size_t position = 0; position < kShape.M * kShape.K; ++position) {
    Bytes A(kShape.M * kShape.K, 0);
    A[position] = -128;
    expectProduct(A, B, kShape);
  }
}

TEST(GemmI8, AnyAlignment) {
  constexpr Shape kShape{5, 18, 75};
  const Bytes A = randomBytes(500, 5), B = randomBytes(1500, 6);
  for (std::size_t shift = 0; shift < 65; ++shift) {
    std::vector<std::int32_t> C(kShape.M * kShape.N + 70, 99);
    quantised::gemmI8(A.data() + shift, B.data() + 65 - shift, C.data() + shift, kShape.M, kShape.N, kShape.K);
    expectSame(C.data() + shift,
               reference(Bytes(A.begin() + static_cast<std::ptrdiff_t>(shift), A.end()),
                         Bytes(B.begin() + static_cast<std::ptrdiff_t>(65 - shift), B.end()), kShape));
    ASSERT_TRUE((shift == 0 || C[shift - 1] == 99) && C[shift + kShape.M * kShape.N] == 99) << "written beside C";
  }
}

TEST(GemmI8, NothingToWrite) {
  const Bytes values = randomBytes(64, 7);
  std::vector<std::int32_t> C(64, 99);
  quantised::gemmI8(values.data(), values.data(), C.data(), 0, 8, 8);
  quantised::gemmI8(values.data(), values.data(), C.data(), 8, 0, 8);
  EXPECT_EQ(C, std::vector<std::int32_t>(64, 99));
}

TEST(GemmI8, SecondCallSeesNewContents) {
  constexpr Shape kShape{9, 21, 50};
  Bytes A = randomBytes(kShape.M * kShape.K, 8), B = randomBytes(kShape.N * kShape.K, 9);
  std::vector<std::int32_t> C(kShape.M * kShape.N);
  quantised::gemmI8(A.data(), B.data(), C.data(), kShape.M, kShape.N, kShape.K);
  A.back() = static_cast<std::int8_t>(~A.back());
  B.front() = static_cast<std::int8_t>(~B.front());
  quantised::gemmI8(A.data(), B.data(), C.data(), kShape.M, kShape.N, kShape.K);
  expectSame(C.data(), reference(A, B, kShape));
}

} // namespace
