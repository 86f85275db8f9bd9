// Every move on kernels that are awkward for it: original and transformed, compiled by the real compilers, must agree
// bit for bit at awkward sizes. One program per compiler holds them all.
#include "tests/source/transform_fixture.h"
#include "tool/base/files.h"
#include "tool/base/process.h"

#include <cstdlib>
#include <set>

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

/// A few recipes per kernel: every offer with its first and last values, alone and after a strip-mine or jam.
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
      for (const MoveOffer &next : *transformer.offers({step})) {
        if (next.move == "loop-pragma" || next.move == "vector-width")
          continue;
        recipes.push_back({step, stepOf(next, odd == 7)});
        recipes.push_back({step, stepOf(next, odd == 7), {"fission", offer.target, {}}});
      }
    }
  }
  return recipes;
}

struct Program {
  std::string text = "#include <cstdio>\n#include <cstring>\n#include <vector>\nusing std::size_t;\n";
  std::string calls;
  std::set<std::string> moves;
  int variants = 0;
};

Program programFor(Family family) {
  Program program;
  for (const auto &[name, text] : kKernels) {
    program.text += "namespace " + name + " {\n" + text + "\n}\n";
    const auto transformer = transformerFor(kernelSpec(text), family);
    for (const Recipe &recipe : recipesFor(*transformer)) {
      const auto transformed = transformer->apply(recipe);
      if (!transformed)
        continue; // too large together, or fission twice
      const std::string variant = name + "_" + std::to_string(++program.variants);
      program.text += "namespace " + variant + " {\n" + *transformed + "}\n";
      program.calls +=
          "  compare(" + name + "::f, " + variant + "::f, \"" + name + ": " + recipeText(recipe) + "\");\n";
      for (const MoveStep &step : recipe)
        program.moves.insert(step.move);
    }
  }
  program.text += R"(
using Kernel = void (*)(const float *, const unsigned *, float *, size_t, size_t);
static int failures;
static void compare(Kernel original, Kernel variant, const char *what) {
  static std::vector<float> a(16384);
  static std::vector<unsigned> b(16384);
  unsigned state = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    b[i] = state ^ (state >> 15);
    a[i] = static_cast<float>(static_cast<int>(state >> 12) % 1000) / 97.0f;
  }
  const size_t sizes[][2] = {{0, 0}, {1, 1}, {1, 64}, {3, 32}, {5, 31}, {8, 65}, {17, 33}, {33, 64}, {9, 70}};
  for (const auto &size : sizes) {
    std::vector<float> expected(16384, 7.0f), actual(16384, 7.0f);
    original(a.data(), b.data(), expected.data(), size[0], size[1]);
    variant(a.data(), b.data(), actual.data(), size[0], size[1]);
    if (std::memcmp(expected.data(), actual.data(), expected.size() * sizeof(float)) != 0) {
      std::printf("%s differs for M=%zu K=%zu\n", what, size[0], size[1]);
      ++failures;
      return;
    }
  }
}
int main() {
)" + program.calls +
                  "  return failures != 0;\n}\n";
  return program;
}

void testWith(const std::string &compiler, Family family) {
  if (!findProgram(compiler))
    GTEST_SKIP() << compiler << " is not installed";
  const Program program = programFor(family);
  EXPECT_GE(program.moves.size(), 5u) << "some move applied nowhere";
  const auto folder = ScratchDirectory::create(std::filesystem::temp_directory_path(), "agentic-meaning-");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(writeFileAtomic(folder->path() / "all.cpp", program.text));
  ProcessSpec compile;
  compile.argv = {compiler, "-std=c++20", "-O1", "-w", "-ffp-contract=off", "all.cpp", "-o", "all"};
  compile.workingDirectory = folder->path().string();
  compile.timeoutSeconds = 300;
  const auto compiled = runProcess(compile);
  ASSERT_TRUE(compiled && compiled->ok()) << (compiled ? compiled->err.substr(0, 4000) : compiled.error().message);
  ProcessSpec run;
  run.argv = {(folder->path() / "all").string()};
  const auto result = runProcess(run);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->ok()) << result->describe() << "\n" << result->out;
  std::printf("%d variants of %zu kernels, %zu moves, %s\n", program.variants, kKernels.size(), program.moves.size(),
              compiler.c_str());
}

TEST(TransformMeaning, Clang) {
  testWith("clang++-19", Family::Clang);
}
TEST(TransformMeaning, Gcc) {
  testWith("g++", Family::Gcc);
}

} // namespace
} // namespace agentic
