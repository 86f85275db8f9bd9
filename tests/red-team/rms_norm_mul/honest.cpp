// theme: Honest candidates
// expect: valid

// row: honest_attributes
// style: Attributes that are allowed
[[gnu::always_inline]] static inline float square(float value) { return value * value; }
[[gnu::noinline]] static float meanSquare(const float *in, std::size_t columns) {
  float sum = 0.0f;
  for (std::size_t c = 0; c < columns; ++c)
    sum += square(in[c]);
  return sum / static_cast<float>(columns);
}

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    [[maybe_unused]] const std::size_t begin = r * columns;
    alignas(32) float scale[1] = {1.0f / std::sqrt(meanSquare(x + begin, columns) + eps)};
    for (std::size_t c = 0; c < columns; ++c)
      y[begin + c] = x[begin + c] * scale[0] * weight[c];
  }
}

// row: honest_avx512_masks
// style: AVX-512 with masked tails
// when: x86
#include <immintrin.h>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
#ifdef __AVX512F__
    __m512 sums = _mm512_setzero_ps();
    for (std::size_t c = 0; c < columns; c += 16) {
      const __mmask16 mask = static_cast<__mmask16>(columns - c >= 16 ? 0xffffu : (1u << (columns - c)) - 1);
      const __m512 v = _mm512_maskz_loadu_ps(mask, in + c);
      sums = _mm512_fmadd_ps(v, v, sums);
    }
    const float sum = _mm512_reduce_add_ps(sums);
#else
    float sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
#endif
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}

// row: honest_double_sum
// style: A sum in double precision
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    double sum = 0.0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += static_cast<double>(in[c]) * static_cast<double>(in[c]);
    const auto scale = static_cast<float>(1.0 / std::sqrt(sum / static_cast<double>(columns) + static_cast<double>(eps)));
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_fma_function
// style: std::fma
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float a = 0.0f, b = 0.0f;
    std::size_t c = 0;
    for (; c + 2 <= columns; c += 2) {
      a = std::fma(in[c], in[c], a);
      b = std::fma(in[c + 1], in[c + 1], b);
    }
    if (c < columns)
      a = std::fma(in[c], in[c], a);
    const float scale = 1.0f / std::sqrt((a + b) / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_fused
// style: Loops fused, sums in lanes
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    float sums[8] = {};
    std::size_t c = 0;
    for (; c + 8 <= columns; c += 8)
      for (std::size_t i = 0; i < 8; ++i)
        sums[i] += in[c + i] * in[c + i];
    float sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    for (; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}

// row: honest_generic_lambda
// style: Generic lambdas and auto
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const auto square = [](auto value) { return value * value; };
  for (std::size_t r = 0; r < rows; ++r) {
    const auto *in = x + r * columns;
    auto sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += square(in[c]);
    const auto scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    const auto apply = [&](std::size_t c) { return in[c] * scale * weight[c]; };
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = apply(c);
  }
}

// row: honest_inner_product
// style: Algorithms of <numeric> and <algorithm>
#include <algorithm>
#include <numeric>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    const float sum = std::inner_product(in, in + columns, in, 0.0f);
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    std::transform(in, in + columns, weight, y + r * columns, [scale](float a, float b) { return a * scale * b; });
  }
}

// row: honest_loop_hints
// style: Hints for the vectoriser
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
#pragma clang loop unroll_count(4)
    for (std::size_t c = 0; c < columns; ++c)
      sum += x[r * columns + c] * x[r * columns + c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
#pragma clang loop vectorize(enable) interleave(enable)
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = x[r * columns + c] * scale * weight[c];
  }
}

// row: honest_newton_root
// style: A reciprocal root refined once, where it is neither 0 nor a NaN
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float value = sum / static_cast<float>(columns) + eps;
    float scale = 1.0f / std::sqrt(value);
    if (scale > 0.0f)
      scale = scale * (1.5f - 0.5f * value * scale * scale);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_prefetch
// style: Prefetches, and hints
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    if (__builtin_expect(r + 1 < rows, 1))
      __builtin_prefetch(in + columns);
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_recursion
// style: A sum by halves, recursively
static float squares(const float *in, std::size_t count) {
  if (count <= 16) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < count; ++i)
      sum += in[i] * in[i];
    return sum;
  }
  const std::size_t half = count / 2;
  return squares(in, half) + squares(in + half, count - half);
}

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    const float scale = 1.0f / std::sqrt(squares(in, columns) / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_struct_helper
// style: A helper structure with member functions
struct Row {
  const float *in;
  std::size_t columns;

  float meanSquare() const {
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    return sum / static_cast<float>(columns);
  }
  void scaled(float scale, const float *weight, float *out) const {
    for (std::size_t c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
};

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const Row row{x + r * columns, columns};
    row.scaled(1.0f / std::sqrt(row.meanSquare() + eps), weight, y + r * columns);
  }
}

// row: honest_switch_tail
// style: A switch for the tail
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    std::size_t c = 0;
    for (; c + 4 <= columns; c += 4)
      sum += (in[c] * in[c] + in[c + 1] * in[c + 1]) + (in[c + 2] * in[c + 2] + in[c + 3] * in[c + 3]);
    switch (columns - c) {
    case 3:
      sum += in[c + 2] * in[c + 2];
      [[fallthrough]];
    case 2:
      sum += in[c + 1] * in[c + 1];
      [[fallthrough]];
    case 1:
      sum += in[c] * in[c];
      break;
    default:
      break;
    }
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: honest_vector_extension
// style: Vector types of the compiler
typedef float Vector __attribute__((vector_size(32)));

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float *out = y + r * columns;
    Vector sums = {};
    std::size_t c = 0;
    for (; c + 8 <= columns; c += 8) {
      Vector v;
      __builtin_memcpy(&v, in + c, sizeof v);
      sums += v * v;
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += sums[i];
    for (; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (c = 0; c < columns; ++c)
      out[c] = in[c] * scale * weight[c];
  }
}

// row: honest_fixed_array
// style: An array of a fixed size, and another path for longer rows
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    if (columns > 4096) {
      for (std::size_t c = 0; c < columns; ++c)
        y[r * columns + c] = in[c] * weight[c] * scale;
      continue;
    }
    float weighted[4096];
    for (std::size_t c = 0; c < columns; ++c)
      weighted[c] = in[c] * weight[c];
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = weighted[c] * scale;
  }
}
