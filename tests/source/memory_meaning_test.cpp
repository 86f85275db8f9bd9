// Tests the moves on expressions and memory: difficult kernels must compute the same bits after them.
#include "tests/source/meaning_program.h"

namespace agentic {
namespace {

const std::string kHead = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

const std::string kLibrary = R"(namespace std {
template <class T> void sort(T first, T last);
template <class T> void swap(T &a, T &b);
template <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }
})";

struct Case {
  std::string name, body;
  std::vector<std::string> recipes;
};

std::string tableOf(std::uint32_t polynomial, int bits) {
  std::string text;
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint64_t value = bits == 32 ? i : std::uint64_t{i} << 8;
    for (int bit = 0; bit < 8; ++bit)
      value = bits == 32 ? value >> 1 ^ ((value & 1) != 0 ? polynomial : 0)
                         : (value << 1 ^ ((value & 0x8000) != 0 ? polynomial : 0)) & 0xffff;
    text += std::to_string(value) + "u, ";
  }
  return text;
}

/// All stay within the 16384 elements of A, B and C for M, K <= 70.
const std::vector<Case> kCases = {
    {"rows",
     R"(for (size_t r = 0; r < M; ++r) {
    float sum = 0.0f;
    for (size_t k = B[r] % 64; k < B[r + 1] % 64; ++k)
      sum += A[k] * A[B[k] % 128];
    C[r] = sum;
  })",
     {"hoist(k)", "hoist(k); restrict(f)", "restrict(f); hoist(k); specialise(M, value=33)",
      "hoist(k); prefetch(k, distance=16)", "hoist(k); prefetch(k, distance=1); restrict(f)"}},
    {"signed_bounds",
     R"(for (size_t r = 0; r < M; ++r)
    for (int k = static_cast<int>(B[r] % 9) - 4; k < static_cast<int>(B[r + 1] % 9) - 4; ++k)
      C[r] += A[k + 4];)",
     {"hoist(k)", "hoist(k); promote(k)"}},
    {"conversions_in_headers",
     R"(int n = static_cast<int>(K) - 3;
  for (unsigned p = 4294967290u; p < n; ++p)
    C[0] += A[p & 15];
  for (size_t q = 0; q < (K ? static_cast<unsigned>(B[3] % 5) : 7); ++q)
    C[1] += A[q];
  for (size_t s = -1; s < K; ++s)
    C[35184372088832] += A[s];
  for (size_t w = -1; w < n; ++w)
    C[35184372088832] += A[w];
  for (unsigned char t = 250; t < 253; ++t)
    C[2] += A[t];)",
     {"promote(p)", "hoist(q)", "hoist(q); promote(q)", "promote(s)", "promote(w)", "promote(t)",
      "promote(p); promote(s); promote(t)"}},
    {"nothing_there_when_it_does_not_run",
     R"(float *far = M == 0 ? nullptr : C;
  for (size_t i = 0; i < M; ++i)
    for (size_t p = 0; p < K; ++p)
      C[i * K + 3] -= A[p] * A[i];
  for (size_t p2 = K; p2 < M; ++p2)
    *C *= A[p2];
  (void)far;)",
     {"promote(p)", "promote(p); restrict(f)", "promote(p2)", "promote(p); promote(p2); specialise(K, value=33)"}},
    {"narrow_elements",
     R"(unsigned char bytes[4] = {250, 1, 2, 3};
  short words[3] = {};
  for (size_t p = 0; p < K; ++p) {
    bytes[1] += B[p];
    bytes[2] = bytes[1] > 100 ? bytes[2] + 1 : bytes[2] * 3;
    words[0] -= B[p];
    if (B[p] & 1)
      words[0] ^= bytes[1];
  }
  for (size_t i = 0; i < 4; ++i)
    C[i] = bytes[i] * 3 + words[0];)",
     {"promote(p)", "promote(p); specialise(K, value=70)"}},
    {"transposed",
     R"(for (size_t y = 0; y < M; ++y)
    for (size_t x = 0; x < K; ++x)
      C[x * M + y] = A[y * K + x];
  for (size_t j = 0; j < K; ++j)
    for (size_t k = 1; k < M; ++k)
      C[5000 + j * M + k] = A[7 + k * K + j];)",
     {"transpose(y, tile=4)", "transpose(y, tile=8)", "transpose(y, tile=2)", "transpose(y, tile=16)",
      "transpose(j, tile=4)", "transpose(y, tile=8); transpose(j, tile=8)"}},
    {"coupled_checksums",
     R"(const unsigned char *bytes = reinterpret_cast<const unsigned char *>(A);
  const size_t count = M * 211 + K; // up to 14,840 bytes
  unsigned a = M == 3 ? 4294967295u : 1, b = K == 5 ? 70000 : 0;
  for (size_t i = 0; i < count; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  int s = 250, t = 3;
  for (int j = 1; j < static_cast<int>(count); ++j) {
    const unsigned char x = bytes[j] ^ 85;
    s += x;
    if (s >= 255)
      s -= 255;
    t = (t + s) % 255;
  }
  unsigned long long v = 1, w = 7;
  for (size_t k = 0; k < count / 4; ++k) {
    v += bytes[4 * k];
    w += v;
    v += bytes[4 * k + 1];
    w += v;
    v += bytes[4 * k + 2];
    w += v;
    v += bytes[4 * k + 3];
    w += v;
  }
  int h = 17;
  for (size_t q = 0; q < count; ++q)
    h = static_cast<int>(h * 31u + static_cast<signed char>(bytes[q]));
  const unsigned results[] = {a + 0u, b + 0u, static_cast<unsigned>(s), static_cast<unsigned>(t), static_cast<unsigned>(v),
                              static_cast<unsigned>(v >> 32), static_cast<unsigned>(w),
                              static_cast<unsigned>(w >> 32), static_cast<unsigned>(h)};
  for (size_t r = 0; r < sizeof results / sizeof *results; ++r)
    for (size_t half = 0; half < 2; ++half)
      C[2 * r + half] = static_cast<float>(results[r] >> (16 * half) & 65535);)",
     {"coupled-sums(i, lanes=32)", "coupled-sums(i, lanes=7)", "coupled-sums(i, lanes=128)",
      "coupled-sums(j, lanes=16)", "coupled-sums(k, lanes=32)", "coupled-sums(k, lanes=4)", "coupled-sums(q, lanes=64)",
      "coupled-sums(i, lanes=64); coupled-sums(j, lanes=64); coupled-sums(k, lanes=64); coupled-sums(q, lanes=16)"}},
    {"neighbours",
     R"(for (size_t i = 0; i < M; ++i)
    for (size_t p = 0; p < K; ++p) {
      C[i] += A[p];
      C[i + 1] = C[i] > A[p] ? C[i + 1] : C[i];
      C[i + 2] = -C[i + 2];
    })",
     {"promote(p)", "restrict(f); promote(p)"}},
    {"beside_the_variable",
     R"(for (size_t i = 1; i + 1 < M; ++i)
    for (unsigned j = 2; j + 3 < static_cast<unsigned>(K) / 2; ++j)
      C[i * K + j] = A[(i - 1) * K + j] + A[(i + 1) * K + j + 1];
  for (int k = 0; k + 2 < static_cast<int>(B[1] % 7) - 3; ++k)
    C[k] += 1;)",
     {"hoist(i)", "hoist(j)", "hoist(k)", "hoist(i); hoist(j); loop-pragma(j, unroll=4)",
      "hoist(i); hoist(j); hoist(k); restrict(f); specialise(K, value=70)"}},
    {"brace_less",
     R"(for (size_t i = 0; i < M; ++i) // ;
    if (A[i] > 2) for (size_t k = 0; k < B[i] % 7; ++k) C[i] += 1;
    else for (size_t m = 0; m < B[i] % 5; ++m) C[i] -= 1;)",
     {"hoist(k)", "hoist(m)", "hoist(k); hoist(m)"}},
    {"medians",
     R"(for (size_t i = 0; i + 40 < M * K; ++i) {
    unsigned char v[9];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        v[a * 3 + b] = B[i + a * 13 + b] >> 3;
    for (int k = 1; k < 9; ++k) {
      const unsigned char t = v[k];
      int j = k;
      for (; j > 0 && v[j - 1] > t; --j)
        v[j] = v[j - 1];
      v[j] = t;
    }
    C[i] = v[4];
  })",
     {"sort-network(i)", "restrict(f); sort-network(i)", "sort-network(i); specialise(K, value=33)"}},
    {"exchanges",
     R"(for (size_t i = 0; i < M * K; ++i) {
    signed char v[7], low = 3;
    int n = 0;
    v[n++] = B[i] & 3;
    for (int k = 0; k < 6; ++k)
      v[n++] = static_cast<signed char>(B[i + k] >> (k & 1));
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6 - a; ++b)
        if (!(v[b] >= v[b + 1])) {
          const int t = v[b + 1];
          v[b + 1] = v[b];
          v[b] = t;
        }
    low += v[6];
    int sum = 0;
    for (int k = 1; k < 5; ++k)
      sum += v[k] * (k + 1);
    if (v[5] > low)
      sum -= v[0];
    C[i] = sum;
  })",
     {"sort-network(i)"}},
    {"parts_of_a_sort",
     R"(for (size_t i = 0; i < M * K; ++i) {
    int v[6] = {static_cast<int>(B[i] % 7), static_cast<int>(B[i + 1] % 7), 3, static_cast<int>(B[i + 2] >> 1), -2, 3};
    std::sort(v + 1, v + 5);
    std::swap(v[0], v[4]);
    const int most = std::max(v[0], v[3]);
    v[3] = std::min(v[0], v[3]);
    v[0] = most;
    C[i] = v[0] + v[1] * 3 - v[3] + v[5];
  })",
     {"sort-network(i)", "sort-network(i); specialise(K, value=70)"}},
    {"checksums",
     "static const unsigned kCrc[256] = {" + tableOf(0xedb88320, 32) +
         "};\nstatic const unsigned short kShort[256] = {" + tableOf(0x1021, 16) + R"(};
  const unsigned char *p = reinterpret_cast<const unsigned char *>(B);
  const signed char *q = reinterpret_cast<const signed char *>(B);
  unsigned crc = ~0u, castagnoli = 7;
  unsigned short low = 1;
  for (size_t i = 0; i < M * K; ++i)
    crc = kCrc[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
  for (int j = 3; j < static_cast<int>(K); ++j) {
    const int at = (low >> 8 ^ q[j + 1]) & 255;
    low = low << 8 ^ kShort[at];
  }
  for (size_t k = 0; k < M; ++k) {
    castagnoli ^= p[k * 3];
    for (int bit = 0; bit < 8; ++bit)
      castagnoli = (castagnoli >> 1) ^ (0x82f63b78 & -(castagnoli & 1));
  }
  C[0] = crc & 0xffff;
  C[1] = crc >> 16;
  C[2] = low;
  C[3] = castagnoli >> 9;)",
     {"slice-table(i, bytes=4)", "slice-table(i, bytes=8)", "slice-table(i, bytes=13)", "slice-table(j, bytes=16)",
      "slice-table(j, bytes=5); slice-table(k, bytes=8)", "slice-table(k, bytes=16); slice-table(i, bytes=16)"}},
    {"changed_arguments",
     R"(while (M-- > 0) {
    for (size_t p = 0; p < K; ++p)
      C[p] += *A;
    ++A;
    K -= K > 3;
  })",
     {"restrict(f)", "specialise(K, value=33); specialise(M, value=17)", "restrict(f); specialise(M, value=40)"}},
};

MeaningProgram allCases(Family family) {
  MeaningProgram program(kCompareMatrices);
  for (const Case &one : kCases) {
    const std::string text = kHead + "  " + one.body + "\n}\n";
    program.addKernel(one.name, text);
    const auto transformer = transformerFor(kernelSpec(text, {kLibrary}), family);
    for (const std::string &recipe : one.recipes) {
      const auto steps = parseRecipe(recipe);
      EXPECT_TRUE(steps) << recipe;
      const auto variant = transformer->apply(*steps);
      EXPECT_TRUE(variant) << one.name << ": " << recipe << ": " << variant.error().message;
      if (variant)
        program.addVariant(*variant, *steps);
    }
  }
  return program;
}

TEST(MemoryMeaning, Clang) {
  const MeaningProgram program = allCases(Family::Clang);
  EXPECT_EQ(program.moves(),
            (std::set<std::string>{"coupled-sums", "hoist", "loop-pragma", "prefetch", "promote", "restrict",
                                   "slice-table", "sort-network", "specialise", "transpose"}));
  program.run("clang++-19", {"-O2", "-march=native", "-fsanitize=undefined", "-fno-sanitize-recover=all"});
}

TEST(MemoryMeaning, Gcc) {
  allCases(Family::Gcc).run("g++", {"-O3", "-march=native"});
}

// An optimiser drops a load whose value is stored back: only without one an access too many shows.
TEST(MemoryMeaning, Unoptimised) {
  allCases(Family::Gcc).run("g++", {"-O0"});
}

} // namespace
} // namespace agentic
