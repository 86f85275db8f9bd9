// Tests normalise, mask-exit, block-search, split-range and if-convert on difficult kernels: original and transformed,
// compiled by the real compilers, must agree bit for bit.
#include "tests/source/meaning_program.h"

#include <algorithm>

namespace agentic {
namespace {

const std::string kHead = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

struct Kernel {
  std::string name, text;
  std::vector<std::string> recipes; ///< must all apply
};

/// All stay within A[0..16383], B[0..16383] and C[0..16383] for M, K <= 70.
const std::vector<Kernel> kKernels = {
    {"escape",
     kHead + R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float c = A[i] * 0.3f - 2, d = A[i + 1] * 0.1f;
    float x = 0, y{};
    int n = 0;
    for (; n < 40; ++n) {
      if (x * x + y * y > 4.0f)
        break;
      const float next = x * x - y * y + c;
      y = 2 * x * y + d;
      x = next;
    }
    C[i] = static_cast<float>(n);
  }
})",
     {"mask-exit(i, lanes=16)", "mask-exit(i, lanes=32)", "mask-exit(i, lanes=7)"}},
    {"escape_values_live_out",
     kHead + R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float c = A[i] - 3;
    float x = -0.0f;
    double y = c;
    unsigned char n = 250;
    long long turns = -1;
    while (n != static_cast<unsigned char>(M) && x * x < 4) {
      x = x * x + c;
      y -= x;
      ++n, turns += 2;
    }
    C[i] = x + static_cast<float>(y) + n + turns;
  }
})",
     {"mask-exit(i, lanes=16)", "mask-exit(i, lanes=3)"}},
    {"exits_with_values",
     kHead + R"(
  const int k = static_cast<int>(K);
  for (int i = 0; i < k; ++i) {
    float x = A[i], found = -1;
    int where = -3;
    for (int n = 0; n < 50; n++) {
      if (x > 60 || x < -2) {
        found = x;
        where = n;
        break;
      }
      if (n & 1)
        x = x * 1.5f;
      else if (x < 5)
        x += 0.75f;
      else
        x -= 0.125f;
      if (!(x != 7 && n) || (n > 40 && x < 3))
        break;
    }
    where += i;
    C[i] = found + static_cast<float>(where);
  }
})",
     {"mask-exit(i, lanes=8)", "mask-exit(i, lanes=16)"}},
    {"the_last_number_of_a_type",
     kHead + R"(
  for (size_t i = 0; i < K; ++i) {
    int n = 2147483647 - static_cast<int>(B[i] % 5u);
    unsigned u = B[i];
    while (n < 2147483647 && u > 3) {
      ++n;
      u = u / 3 + (u >> 4);
    }
    C[i] = static_cast<float>(n) + static_cast<float>(u);
  }
})",
     {"mask-exit(i, lanes=16)"}},
    {"largest_and_its_place",
     kHead + R"(
  float best = A[0];
  size_t at = 0;
  for (size_t i = 1; i < M * K; ++i)
    if (A[i] > best) {
      best = A[i];
      at = i;
    }
  C[0] = best + static_cast<float>(at);
})",
     {"block-search(i, block=16)", "block-search(i, block=64)", "block-search(i, block=7)"}},
    {"rare_corrections_in_place",
     kHead + R"(
  int changed = 0;
  for (int i = 0; i < static_cast<int>(M * K); ++i) {
    const unsigned b = B[i];
    if (b % 13 == 5) {
      C[i] = C[i + 1] + 1;
      ++changed;
    } else if (b % 7 == 2) {
      C[i + 2] = C[i];
    }
  }
  C[9000] = static_cast<float>(changed);
})",
     {"block-search(i, block=32)"}},
    {"padding",
     kHead + R"(
  for (size_t y = 0; y < M; ++y)
    for (size_t x = 0; x < K; ++x) {
      float sum = 0;
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
          if (y + i >= 1 && y + i <= M && x + j >= 1 && x + j <= K)
            sum += A[(y + i - 1) * K + (x + j - 1)] * A[i * 3 + j];
      C[y * K + x] = sum;
    }
})",
     {"split-range(x)", "split-range(y)", "split-range(x); split-range(y)", "split-range(y); split-range(x#2)",
      "split-range(x); strip-mine(x#2, block=16)", "split-range(y); split-range(x#2); strip-mine(x#3, block=8)"}},
    {"padding_by_wrapping",
     kHead + R"(
  for (size_t y = 0; y < M; ++y)
    for (size_t x = 0; x < K; ++x) {
      float sum = 0;
      for (int i = 0; i < 5; ++i) {
        const size_t row = y + i - 2;
        if (row >= M)
          continue;
        for (int j = -2; j < 3; ++j) {
          const size_t column = x + j;
          sum += column < K ? A[row * K + column] : 0.25f;
        }
      }
      C[y * K + x] = sum;
    }
})",
     {"split-range(y)", "split-range(x)", "split-range(y); split-range(x#2)"}},
    {"padding_signed",
     kHead + R"(
  const int m = static_cast<int>(M), n = static_cast<int>(K);
  for (int y = 0; y < m; ++y)
    for (int x = 0; x < n; ++x) {
      double sum = 0;
      for (int i = -1; i < 2; ++i)
        for (int j = -2; j < 3; ++j) {
          const int row = y + i, column = x + j;
          if (row < 0 || row >= m || column < 0 || !(column <= n - 1))
            continue;
          sum += A[row * n + column] * (i + 2) - j;
        }
      C[y * n + x] = static_cast<float>(sum);
    }
})",
     {"split-range(x)", "split-range(y)", "split-range(x); split-range(y)", "split-range(y); split-range(x#2)"}},
    {"borders_copied",
     kHead + R"(
  for (size_t x = 0; x < K; ++x) {
    float v;
    if (x > 0 && x < K - 1 && M > 2)
      v = A[x - 1] + A[x + 1];
    else
      v = A[x];
    const float w = x >= 3 ? C[x - 3] : A[x];
    if (x < 10)
      v = -v;
    else if (x < M)
      v += 1;
    if (9 < x) {
      const float extra = v * 2;
      v += extra;
    }
    C[x] = v + w;
  }
})",
     {"split-range(x)"}},
    {"two_bounds",
     kHead + R"(
  for (size_t x = 0; x < K; ++x) {
    float s = 1;
    for (unsigned j = 1; j < 4; ++j)
      if (x + j < M && x + j >= 2 && (x + j < K || j == 2))
        s += A[x + j] * j;
    C[x] = s;
  }
})",
     {"split-range(x)", "split-range(x); split-range(x)"}},
    {"bounds_below_zero",
     kHead + R"(
  const int k = static_cast<int>(K) - 4, m = static_cast<int>(M) - 9, n = m - 3;
  for (int x = 0; x < k; ++x) {
    float s = 1;
    if (x < m)
      s += A[x];
    C[x] = s;
  }
  for (int x = 0; x < k; ++x)
    if (x + 3 >= 5 && x + 2 < n && x < 30)
      C[x] += x > m - 2 ? 1 : A[x];
})",
     {"split-range(x)", "split-range(x#2)", "split-range(x#2); split-range(x)"}},
    {"always_true",
     kHead + R"(
  for (size_t x = 0; x < K; ++x)
    if (x >= 0 && x < K)
      C[x] = A[x];
    else
      C[x] = 5;
})",
     {"split-range(x)"}},
    {"selects",
     kHead + R"(
  for (size_t i = 0; i < K; ++i) {
    float sum = -0.0f, best = A[i], last = 0, sign;
    int count = 2147483647 - static_cast<int>(K * M), lowest = 100;
    unsigned char small = 250;
    bool seen = false;
    for (size_t p = 0; p < M; ++p) {
      const float x = A[i * M + p] - 4;
      if (x > 3)
        sum += x * 0.5f;
      if (A[p] > best)
        best = A[p];
      if (x < 0 || p == 3)
        ++count;
      if (B[p] & 4)
        small += 3;
      if (x < 1)
        sign = -1.0f;
      else
        sign = x;
      if (x > 5) {
        last = x;
        seen |= p > 2;
        lowest -= 2;
      } else if (x > 2) {
        last = last * 0.5;
      } else {
        lowest = static_cast<int>(p);
        last -= sum;
      }
      sum -= sign;
    }
    C[i] = sum + best * last + count + lowest + small + seen;
  }
})",
     {"if-convert(p)", "if-convert(p); strip-mine(i, block=8)"}},
    {"select_without_block",
     kHead + R"(
  for (size_t i = 0; i < M; ++i) {
    double s = 0;
    long n = 0;
    for (size_t p = 0; p < K; ++p)
      if (A[i * K + p] > 3)
        s += A[i * K + p], n = p;
    for (size_t p = 0; p < K; ++p)
      if (A[i * K + p] > 3) {
        s -= A[i * K + p];
        --n;
      }
    C[i] = static_cast<float>(s + n);
  }
})",
     {"if-convert(p#2)"}},
    {"walks_down",
     kHead + R"(
  const float *a = A;
  float *c = C;
  unsigned sum = 7;
  size_t n = M * K;
  while (n >= 4) {
    c[0] = a[3] * 2 + a[0];
    c[3] = a[1];
    a += 4;
    c += 4;
    n -= 4;
  }
  while (n--)
    *c++ = *a++ - 1;
  int m = static_cast<int>(K);
  for (;;) {
    if (m <= 1)
      break;
    sum = sum * 31 + B[m];
    *c++ = *--a;
    m -= 3;
  }
  int k = static_cast<int>(M);
  do {
    sum += static_cast<unsigned>(k);
    a++, *c = static_cast<float>(sum & 255);
    c += 2;
  } while (--k > 0);
  C[9000] = *a + static_cast<float>(m) + static_cast<float>(k) + static_cast<float>(c - C);
})",
     {"normalise(n)", "normalise(n); normalise(n); normalise(loop); normalise(k)", "normalise(k)", "normalise(loop)"}},
    {"walks_to_a_bound",
     kHead + R"(
  const float *const end = A + K;
  float *c = C + 5000;
  for (const float *p = A; p != end; ++p)
    *c++ = *p * 2;
  const float *q = A + M;
  while (end - q >= 3) {
    *c-- = q[0] + q[2];
    q += 3;
  }
  for (unsigned i = 0; i < K; i += 2)
    C[i] = A[i + 1] + static_cast<float>(i * 2654435761u >> 20);
  for (unsigned char i = 0; i < static_cast<int>(M); ++i)
    C[i + 100] = A[i + 1] - i;
  for (int i = static_cast<int>(K) - 1; i >= 0; i--)
    C[i + 200] = A[i] + static_cast<float>(i);
  int at = 3;
  for (int i = 0; i < static_cast<int>(K) - 3; i += 4) {
    C[at + 300] = A[i] + A[i + 3];
    at += 2;
  }
  C[9000] = static_cast<float>(q - A) + static_cast<float>(at) + *c;
})",
     {"normalise(p)", "normalise(q)", "normalise(i)", "normalise(i#2)", "normalise(i#3)", "normalise(i#4)",
      "normalise(p); normalise(q); normalise(i)"}},
    {"walks_beside_a_counter",
     kHead + R"(
  for (size_t y = 0; y < M; ++y) {
    const float *row = A + y * K;
    float *c = C + y * K + K;
    for (int x = 1; x < static_cast<int>(K); ++x) {
      if (*row > 5)
        c[-1] = row[0];
      else
        c[-1] = row[1] * 0.5f;
      --c;
      row += 1;
    }
  }
})",
     {"normalise(x)"}}};

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

TEST(ControlMeaning, Clang) {
  testWith("clang++-19", Family::Clang);
}
TEST(ControlMeaning, Gcc) {
  testWith("g++", Family::Gcc);
}

} // namespace
} // namespace agentic
