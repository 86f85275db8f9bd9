// Tests every move on difficult kernels: original and transformed, compiled by the real compilers, must agree bit for
// bit at difficult sizes. One program per compiler holds them all.
#include "tests/source/meaning_program.h"

namespace agentic {
namespace {

const std::string kHead = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

/// All have one signature and stay within A[0..16383], B[0..16383] and C[0..16383] for M, K <= 70.
const std::vector<std::pair<std::string, std::string>> kKernels = {{"gemm", kBinaryGemm},
                                                                   {"gemm_inline", kHead + R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float s = 0, t = 1;
      for (size_t p = 0; p < K; ++p)
        s += A[i * K + p] * (((B[p * (K / 32) + (j >> 5)] >> (j & 31)) & 1u) ? t : -t);
      C[i * K + j] = s;
    }
})"},
                                                                   {"row_pointers", kHead + R"(
  for (size_t r = 0; r < M; ++r) {
    const float *in = A + r * K;
    float *out = C + r * K;
    float sum = 0.0f;
    for (size_t c = 0; c < K; ++c) sum += in[c] * in[c];
    const float scale = 1.0f / (sum + 0.5f);
    for (size_t c = 0; c < K; ++c) out[c] = in[c] * scale;
    for (size_t c = 0; c < K; ++c) out[c] = out[c] * A[c];
  }
})"},
                                                                   {"conditions", kHead + R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float best = A[j], low{2.0f};
      int count = 0;
      for (size_t p = 0; p < K; ++p) {
        const auto x = A[i * K + p] * A[p * K + j];
        if (x > best) {
          best = x;
          ++count;
        } else if (x < low)
          low = x;
        bool odd = B[p] & 1;
        count += odd ? 2 : 0;
      }
      C[i * K + j] = best - low + static_cast<float>(count);
    }
})"},
                                                                   {"values_shared_by_lanes", kHead + R"(
  for (size_t j = 0; j < K; ++j) {
    float s = 0;
    for (size_t p = 1; p < M; ++p) {
      float w = A[p];
      s += w * A[p * K + j];
      w = w * 2;
      s -= w;
      w += 1, s *= w;
    }
    C[j] = s;
  }
})"},
                                                                   {"stencil", kHead + R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float acc = 0;
      for (size_t u = 0; u < 3; ++u)
        for (size_t v = 0; v < 3; ++v)
          acc += A[(i + u) * (K + 2) + j + v] * A[u * 3 + v];
      C[i * K + j] = acc;
    }
})"},
                                                                   {"passes_in_place", kHead + R"(
  for (size_t i = 0; i < M * K; ++i) C[i] = A[i] + 0.25f;
  for (size_t r = 0; r < M; ++r) {
    float largest = -1e9f;
    for (size_t c = 0; c < K; ++c)
      largest = C[r * K + c] > largest ? C[r * K + c] : largest;
    for (size_t c = 0; c < K; ++c)
      C[r * K + c] -= largest;
  }
})"},
                                                                   {"signed_indices", kHead + R"(
  const int m = static_cast<int>(M), n = static_cast<int>(K) - 3;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; j++) {
      double s;
      s = 0;
      for (int p = 2; p < m - 1; ++p)
        s += A[p * n + j] * (j / 8 + i % 4);
      C[i * n + j] = static_cast<float>(s);
    }
})"},
                                                                   {"three_at_once", kHead + R"(
  for (size_t i = 0; i < K; ++i) {
    const size_t base = i * 3;
    unsigned r = 0;
    for (size_t p = 0; p < 8; ++p) r = (r << 3) ^ B[i + p] ^ (r >> 7);
    C[base] = A[i] + static_cast<float>(r & 255u);
    C[base + 1] = A[i] - 1;
    C[base + 2] = C[base] * C[base + 1];
  }
})"},
                                                                   {"a_matrix_in_one_loop", kHead + R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] * A[i % K] + A[i / K];
  const unsigned columns = 17;
  for (int i = 0; i < static_cast<int>(M * K) - 40; ++i) {
    const unsigned y = i / columns;
    if (i % columns > 2)
      C[y * 40 + i % columns] -= A[i];
  }
})"},
                                                                   {"work_around_the_inner_loop", kHead + R"(
  for (size_t i = 0; i < M; ++i) {
    float total = A[i];
    for (size_t j = 0; j < K; ++j) {
      float s = total;
      for (size_t p = 0; p < K; ++p) s += A[p * K + j];
      C[i * K + j] = s;
    }
    total = total * 2;
    for (size_t q = 0; q < K; ++q) total -= C[i * K + q];
    C[M * K + i] = total;
  }
})"}};

/// Returns a few recipes per kernel: every offer with its first and last values, alone and after a strip-mine or jam.
std::vector<Recipe> recipesFor(Transformer &transformer) {
  std::vector<Recipe> recipes;
  const auto stepOf = [](const MoveOffer &offer, bool last) {
    MoveStep step{offer.move, offer.target, {}};
    for (const auto &[name, values] : offer.parameters)
      step.parameters[name] = last ? values.back() : values.front();
    return step;
  };
  const auto offers = transformer.offers({});
  for (const MoveOffer &offer : *offers) {
    recipes.push_back({stepOf(offer, false)});
    recipes.push_back({stepOf(offer, true)});
    if (offer.move != "strip-mine" && offer.move != "unroll-and-jam")
      continue;
    for (const int odd : {7, 24}) {
      MoveStep step = stepOf(offer, false);
      step.parameters.begin()->second = odd;
      recipes.push_back({step});
      const auto more = transformer.offers({step});
      for (const MoveOffer &next : *more) {
        if (next.move == "loop-pragma" || next.move == "vector-width")
          continue;
        recipes.push_back({step, stepOf(next, odd == 7)});
        recipes.push_back({step, stepOf(next, odd == 7), {"fission", offer.target, {}}});
      }
    }
  }
  return recipes;
}

void testWith(const std::string &compiler, Family family) {
  MeaningProgram program(kCompareMatrices);
  for (const auto &[name, text] : kKernels) {
    program.addKernel(name, text);
    const auto transformer = transformerFor(kernelSpec(text), family);
    for (const Recipe &recipe : recipesFor(*transformer))
      if (const auto transformed = transformer->apply(recipe)) // else too large together, or fission twice
        program.addVariant(*transformed, recipe);
  }
  EXPECT_GE(program.moves().size(), 5u) << "some move applied nowhere";
  program.run(compiler, {"-O1"});
  std::printf("%d variants of %zu kernels, %zu moves, %s\n", program.variants(), kKernels.size(),
              program.moves().size(), compiler.c_str());
}

TEST(TransformMeaning, Clang) {
  testWith("clang++-19", Family::Clang);
}
TEST(TransformMeaning, Gcc) {
  testWith("g++", Family::Gcc);
}

} // namespace
} // namespace agentic
