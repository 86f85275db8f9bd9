// Tests masked-store, reroll, and pointers that live on behind normalised loops, on difficult kernels: original and
// transformed, compiled by the real compilers, must agree bit for bit.
#include "tests/source/meaning_program.h"

namespace agentic {
namespace {

const std::string kHead = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

struct Kernel {
  std::string name, text;
  std::vector<std::string> recipes; ///< must all apply
};

/// All stay within A[0..16383], B[0..16383] and C[0..16383] for M, K <= 70.
const std::vector<Kernel> kKernels = {
    {"stores_under_conditions",
     kHead + R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float x = A[i] * 0.5f;
    float w = -x;
    if (x > 3 && B[i] % 3 != 1) {
      C[i] = x;
      if (A[i + 1] < 20)
        C[i] += A[B[i] % 700];
      w = C[i];
    } else if (x != x) {
      C[i] = 7;
    } else
      w += 1;
    if (w > 2)
      C[i] = w;
  }
})",
     {"masked-store(i, lanes=16)", "masked-store(i, lanes=32)", "masked-store(i, lanes=7)"}},
    {"cases_that_store",
     kHead + R"(
  const int k = static_cast<int>(M * K);
  for (int i = 0; i < k; ++i) {
    switch (B[i] & 7u) {
    case 0:
    case 5:
      C[i] = A[i] + 1;
      break;
    case 1: {
      C[i] = A[i + 2] > 3 ? A[i + 2] : 0;
      break;
    }
    default:
      C[i] *= 0.25f;
      break;
    case 6:
      if (A[i] > 4)
        C[i] = A[i] - C[i];
      break;
    case 7:
      break;
    case 2:
      C[i] = C[i] + 2;
    }
  }
})",
     {"masked-store(i, lanes=32)", "masked-store(i, lanes=8)"}},
    {"cases_within_conditions",
     kHead + R"(
  for (size_t i = 3; i < M * K; ++i) {
    const unsigned b = B[i];
    const int kind = static_cast<int>(b % 5) - 1;
    float x;
    if (b & 32) {
      x = A[i];
      switch (kind) {
      case -1:
        C[i] = 3;
        break;
      case 2:
        C[i] = x;
        break;
      default:
        if (b & 16)
          C[i] = static_cast<float>(b & 255);
      }
    } else {
      x = 2;
    }
    C[i] += x;
  }
})",
     {"masked-store(i, lanes=16)"}},
    {"few_of_a_block",
     kHead + R"(
  for (size_t i = 0; i < 500; ++i) {
    const unsigned b = B[i];
    switch (b % 3) {
    case 0:
      if (b & 16)
        C[i] = 1;
      else
        C[i + 500] = A[i];
      break;
    case 1:
      C[i + 1000] = A[i + M];
    }
  }
})",
     {"masked-store(i, lanes=64)", "masked-store(i, lanes=5)"}},
    {"pointers_live_on",
     kHead + R"(
  const float *a = A;
  float *c = C;
  size_t n = M * K;
  while (n >= 4) {
    c[0] = a[1] * 2;
    c[1] = a[0];
    c[2] = a[2] + a[3];
    c[3] = 1;
    a += 4;
    c += 4;
    n -= 4;
  }
  while (n--)
    *c++ = *a++ + 3;
  *c = *a;
})",
     {"normalise(n); distribute(i, at=2)", "normalise(n); normalise(n); distribute(i, at=1)"}},
    {"rows_of_sums",
     kHead + R"(
  float *c = C + 5;
  size_t at = 0;
  for (size_t y = 0; y < 3; ++y) {
    for (size_t x = 0; x < K; ++x) {
      float sum = 0;
      for (size_t j = 0; j < 4; ++j)
        sum += A[at + x + j] * A[j];
      c[x] = sum;
    }
    c += K + y;
    at += M;
  }
})",
     {"strip-mine(x, block=8)", "strip-mine(x, block=16)"}},
    {"rows_that_go_on",
     kHead + R"(
  const float *a = &A[M];
  float *c = C + 7;
  for (size_t y = 0; y < M; ++y) {
    float sum = 0;
    for (size_t x = 0; x < K; ++x) {
      *c++ = *a++ * 0.5f;
      sum += static_cast<float>(B[x] & 1);
    }
    a += B[y] % 3;
    *c++ = sum;
  }
})",
     {"normalise(x); distribute(x, at=1)"}},
    {"unrolled_by_hand",
     kHead + R"(
  const float *p = A;
  float *c = C + 200;
  size_t n = M * K;
  float sum = 0;
  while (n >= 4) {
    float v = p[0] * 0.5f;
    sum += v;
    c[0] = v + sum;
    v = p[1] * 0.5f;
    sum += v;
    c[1] = v + sum;
    v = p[2] * 0.5f;
    sum += v;
    c[2] = v + sum;
    v = p[3] * 0.5f;
    sum += v;
    c[3] = v + sum;
    p += 4;
    c += 4;
    n -= 4;
  }
  while (n--)
    *c++ = *p++;
  unsigned rounds = static_cast<unsigned>(M);
  if (rounds > 0)
    do {
      if (*p > 60)
        break;
      *c++ = *p++ - 1;
      if (*p > 60)
        break;
      *c++ = *p++ - 1;
    } while (--rounds != 0);
  for (int i = 1; i + 1 < static_cast<int>(K); i += 2) {
    const float left = C[i + 199] + A[i];
    C[i + 200] = left;
    const float right = C[i + 200] + A[i + 1];
    C[i + 201] = right;
  }
  C[0] = sum;
})",
     {"reroll(n)", "reroll(i)", "reroll(n); normalise(n)", "reroll(n); reroll(i); restrict(f)"}},
    {"into_one_array",
     kHead + R"(
  float *c = C + 100, *d = c + 3;
  for (size_t x = 0; x < K; ++x)
    *c++ = *d++ * 0.5f;
  *c = *d;
})",
     {"normalise(x)"}},
};

void testWith(const std::string &compiler, Family family) {
  MeaningProgram program(kCompareMatrices);
  for (const Kernel &kernel : kKernels) {
    SCOPED_TRACE(kernel.name);
    program.addKernel(kernel.name, kernel.text);
    const auto transformer = transformerFor(kernelSpec(kernel.text), family);
    ASSERT_TRUE(transformer);
    for (const std::string &recipe : kernel.recipes) {
      const auto steps = parseRecipe(recipe);
      ASSERT_TRUE(steps) << recipe;
      const auto text = transformer->apply(*steps);
      ASSERT_TRUE(text) << recipe << ": " << text.error().message;
      program.addVariant(*text, *steps);
    }
  }
  program.run(compiler, {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"});
  program.run(compiler, {"-O3", "-march=native"});
}

TEST(StoreMeaning, Clang) {
  testWith("clang++-19", Family::Clang);
}
TEST(StoreMeaning, Gcc) {
  testWith("g++", Family::Gcc);
}

} // namespace
} // namespace agentic
