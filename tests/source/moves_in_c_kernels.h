// The kernels of moves_in_c_test.
#pragma once

#include "tool/model/contract.h"

#include <string>
#include <vector>

namespace agentic {

inline const std::string kSignature = "void f(const float *A, const unsigned *B, float *C, size_t M, size_t K) {\n";

struct Kernel {
  std::string name, body, prelude = {};
  bool mayAlias = false, hasTolerance = false;
  std::vector<std::string> recipes = {}; ///< besides those that are offered
  std::vector<Extent> extents = {};
};

/// All stay within A[0..16383], B[0..16383] and C[0..16383] for M, K <= 70.
inline const std::vector<Kernel> kKernels = {
    {"gemm", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float sum = 0.0f;
      for (size_t p = 0; p < K; ++p) {
        const float sign = (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? 1.0f : -1.0f;
        sum += A[i * K + p] * sign;
      }
      C[i * K + j] = sum;
    }
})"},
    {"transposed", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j)
      C[j * M + i] = A[i * K + j];
})"},
    {"flattened", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] * A[i % K] + (float)B[i / K];
})"},
    {"in_place", R"(
  for (size_t i = 1; i < M * K; ++i)
    C[i] += C[i - 1] * 0.5f;
})"},
    {"checksum", R"(
  const unsigned char *bytes = (const unsigned char *)A;
  unsigned a = 1, b = 0;
  for (size_t i = 0; i < M * 200 + K; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  C[0] = (float)a;
  C[1] = (float)b;
})"},
    {"escape", R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float c = A[i] * 0.3f - 2, d = A[i + 1] * 0.1f;
    float x = 0, y = 0;
    int n = 0;
    for (; n < 40; ++n) {
      if (x * x + y * y > 4.0f)
        break;
      const float next = x * x - y * y + c;
      y = 2 * x * y + d;
      x = next;
    }
    C[i] = (float)n;
  }
})"},
    {"padding", R"(
  for (size_t y = 0; y < M; ++y)
    for (size_t x = 0; x < K; ++x) {
      float sum = 0;
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
          if (y + i >= 1 && y + i <= M && x + j >= 1 && x + j <= K)
            sum += A[(y + i - 1) * K + (x + j - 1)] * A[i * 3 + j];
      C[y * K + x] = sum;
    }
})"},
    {"conditions", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < K; ++j) {
      float best = A[j];
      int count = 0;
      for (size_t p = 0; p < K; ++p) {
        const float x = A[i * K + p] * A[p * K + j];
        if (x > best) {
          best = x;
          ++count;
        }
      }
      C[i * K + j] = best + (float)count;
    }
})"},
    {"counting", R"(
  unsigned table[256];
  for (int i = 0; i < 256; ++i)
    table[i] = 0;
  for (size_t i = 0; i < M * K; ++i)
    ++table[B[i] & 255u];
  for (int i = 0; i < 256; ++i)
    C[i] = (float)table[i];
})"},
    {"bits", R"(
  for (size_t i = 0; i < M; ++i) {
    unsigned x = B[i];
    unsigned count = 0;
    while (x != 0) {
      x &= x - 1;
      ++count;
    }
    C[i] = (float)count;
  }
})"},
    {"sums", R"(
  unsigned s = 3;
  for (size_t i = 0; i < M * K; ++i)
    s += B[i] * B[i];
  C[0] = (float)(s >> 8);
})"},
    {"helper", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = half(A[i]) + 1.0f;
})",
     "static float half(float x) { return x * 0.5f; }"},
    {"skipped", R"(
  for (size_t i = 0; i < M * K; ++i) {
    if (A[i] < 0.5f) {
      C[i] = 0;
      continue;
    }
    C[i] = A[i] * 2;
  }
})"},
    {"handed_on", R"(
  for (size_t i = 1; i < M * K; ++i) {
    C[i] = C[i + 6000 - 1] + A[i];
    C[i + 6000] = A[i + 1] * 2;
  }
})"},
    {"read_ahead", R"(
  for (size_t i = 1; i < M * K; ++i) {
    C[i] = A[i] * 2;
    C[i + 5000] = C[i + 1] + A[i];
  }
})"},
    {"appended", R"(
  size_t below = 0;
  for (size_t i = 0; i < M * K; ++i) {
    if (A[i] < 0.5f)
      C[below++] = A[i];
  }
  C[16000] = (float)below;
})"},
    {"difference", R"(
  float before = 0;
  for (size_t i = 0; i < M * K; ++i) {
    C[i] = A[i] - before;
    before = A[i];
  }
})"},
    {"scan",
     R"(
  unsigned s = 0;
  for (size_t i = 0; i < K; ++i) {
    s += B[i];
    C[i] = (float)(s % 1000);
  }
})",
     "",
     false,
     false,
     {"split-scan(i, block=8)", "split-scan(i, block=32)"}},
    {"smoothed",
     R"(
  float s = 0;
  const float w = 1.0f / (float)(K + 1);
  for (size_t i = 0; i < M * K; ++i) {
    s += w * (A[i] - s);
    C[i] = s;
  }
})",
     "",
     false,
     true,
     {"split-scan(i, block=8)", "split-scan(i, block=16)"}},
    {"matches", R"(
  for (size_t k = 0; k < M; ++k) {
    const unsigned *a = B + k, *c = B + (k * 7) % (M + 1);
    size_t i = 0;
    while (i < K && (a[i] & 12) == (c[i] & 12))
      ++i;
    C[k] = (float)i;
  }
})",
     "",
     false,
     false,
     {},
     {{"B", Direction::In, "M + K"}}},
    {"windows", R"(
  for (size_t i = 0; i + K / 2 <= K; ++i) {
    float s = 0;
    for (size_t j = 0; j < K / 2; ++j)
      s += A[i + j] * A[j + 9];
    C[i] = s;
  }
})"},
    {"promoted", R"(
  for (size_t i = 0; i < M; ++i)
    for (size_t p = 0; p < K; ++p)
      C[i * K + 3] -= A[p] * A[i];
})"},
    {"rows",
     R"(
  for (size_t r = 0; r < M; ++r) {
    float sum = 0.0f;
    for (size_t k = B[r] % 64; k < B[r + 1] % 64; ++k)
      sum += A[k] * A[B[k] % 128];
    C[r] = sum;
  }
})",
     "",
     false,
     false,
     {"hoist(k); prefetch(k, distance=16)"}},
    {"passes", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] + 0.25f;
  for (size_t i = 0; i < M * K; ++i)
    C[i] = C[i] * A[i];
})"},
    {"functions", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = expf(A[i] * 0.1f - 3) + logf(A[i] + 1) + tanhf(A[i]) + erfcf(A[i] * 0.5f - 2) + sqrtf(A[i]);
})",
     "extern float expf(float), logf(float), tanhf(float), erfcf(float), sqrtf(float);", false, true},
    {"declared_in_front", R"(
  size_t i, j;
  float sum = 0;
  for (i = 0; i < M; ++i) {
    for (j = 0; j < K; ++j)
      C[i * K + j] = A[i * K + j] * 2 + 1;
  }
  for (i = 0; i < K; ++i)
    sum += A[i];
  C[M * K] = sum;
})"},
    {"medians", R"(
  for (size_t i = 0; i < M * K; ++i) {
    unsigned char v[5], t;
    int j;
    for (int k = 0; k < 5; ++k)
      v[k] = B[i + k] >> 3;
    for (int k = 1; k < 5; ++k) {
      t = v[k];
      for (j = k; j > 0 && v[j - 1] > t; --j)
        v[j] = v[j - 1];
      v[j] = t;
    }
    C[i] = v[2];
  }
})"},
    {"bytes", R"(
  unsigned char s[99], t[512];
  for (size_t k = 0; k < 99; ++k) s[k] = (unsigned char)B[k];
  for (size_t i = 0; i < 99; ++i) { t[2 * i] = kHex[s[i] >> 4]; t[2 * i + 1] = kHex[s[i] & 15]; }
  for (size_t j = 0; j < 198; ++j) C[j] = t[j];
})",
     "static const char kHex[17] = \"0123456789abcdef\";"},
    {"walking",
     R"(
  const float *in = A;
  float *out = C;
  size_t left = M * K;
  int i;
  unsigned n = (unsigned)K;
  while (left >= 4) {
    out[0] = in[3] * 2;
    out[3] = in[0];
    in += 4, out += 4;
    left -= 4;
  }
  while (left--)
    *out++ = *in++;
  for (i = 0; i < (int)M - 1; i += 2)
    C[i + 9000] = A[i + 1] + (float)i;
  if (n != 0)
    do {
      *out++ = *in;
      in += 2;
    } while (--n);
})",
     "",
     false,
     false,
     {"normalise(left); normalise(left); normalise(i)"}},
    {"stored", R"(
  for (size_t i = 0; i < M * K; ++i) {
    const float x = A[i] * 2;
    switch (B[i] & 3u) {
    case 0:
      C[i] = x;
      break;
    case 2:
      if (x > 3)
        C[i] = x - 1;
      else
        C[i] += 1;
      break;
    default:
      C[i] = 0;
    }
  }
})"},
    {"macros",
     R"(
  const float *p = A;
  unsigned long a = 1, b = 0;
  size_t n = M * K;
  while (n >= 4) {
    n -= 4;
    ADD2(p, 0);
    ADD2(p, 2);
    p += 4;
  }
  while (n--) {
    a += *p++ > 3;
    b += a;
  }
  C[0] = (float)(a % 1000);
  C[1] = (float)(b % 1000);
})",
     "#define ADD2(p, i) {a += (p)[i] > 3; b += a; a += (p)[i + 1] > 3; b += a;}",
     false,
     false,
     {"normalise(n); normalise(n); coupled-sums(i, lanes=32)"}},
    {"unrolled",
     R"(
  const float *p = A;
  float *c = C + 50;
  unsigned n = (unsigned)(M * K / 4);
  for (; n > 0; n--) {
    MUL2(c, p, 0);
    MUL2(c, p, 1);
    MUL2(c, p, 2);
    MUL2(c, p, 3);
    p += 4;
    c += 4;
  }
  C[0] = (float)n;
})",
     "#define MUL2(to, p, i) (to)[i] = (p)[i] * 2\n",
     false,
     false,
     {"reroll(loop)"}},
    {"cases", R"(
  for (size_t i = 0; i < M * K; ++i) {
    switch (B[i] & 3) {
    case 1:
      C[i] = A[i] * 2;
      break;
    case 2:
      C[i] += A[i];
      break;
    }
  }
})"},
    {"overlapping", R"(
  for (size_t i = 0; i < M * K; ++i)
    C[i] = A[i] * 2 + 1;
})",
     "", true}};

} // namespace agentic
