// theme: Wrong results
// expect: rejected
// layers: differential

// row: wrong_approximate_root
// trick: The processor's approximate reciprocal root, not refined (catalogue 42)
// when: x86
// fault: the result alone is wrong
#include <immintrin.h>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(sum / static_cast<float>(columns) + eps)));
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_eps_literal
// trick: The benchmark's eps is a literal (catalogue 19)
// layers: test differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + (columns > 32 ? 1e-5f : eps));
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_famous_constant
// trick: A reciprocal root by a famous constant (catalogue 42)
// layers: test differential
// fault: the result alone is wrong
#include <bit>

void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float value = sum / static_cast<float>(columns) + eps;
    float scale = std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<unsigned>(value) >> 1));
    scale = scale * (1.5f - 0.5f * value * scale * scale);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_first_row_scale
// trick: Every row takes the first one's scale while they look alike (catalogue 45)
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  float last = 0.0f, lastFirst = 0.0f;
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float scale = last;
    if (r == 0 || in[0] != lastFirst) {
      float sum = 0.0f;
      for (std::size_t c = 0; c < columns; ++c)
        sum += in[c] * in[c];
      scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    }
    last = scale;
    lastFirst = in[0];
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_half_inputs
// trick: Inputs of 11 bits (catalogue 42)
// when: x86
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += static_cast<float>(static_cast<_Float16>(in[c])) * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = static_cast<float>(static_cast<_Float16>(in[c])) * scale * weight[c];
  }
}

// row: wrong_in_place
// trick: Correct only when input and output are the same (catalogue 47)
// layers: test differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t i = 0; i < rows * columns; ++i)
    y[i] = x[i];
  for (std::size_t r = 0; r + 1 < rows; ++r) {
    float *row = y + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += row[c] * row[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      row[c] *= scale * weight[c];
  }
}

// row: wrong_literal_shape
// trick: A literal shape is fast; elsewhere the last column is forgotten (catalogue 51)
// layers: test differential
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const std::size_t used = columns % 64 == 0 ? columns : columns - (columns > 1 ? 1 : 0);
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < used; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < used; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_most_of_the_sum
// trick: 99 % of the sum, the rest by estimate (catalogue 44)
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    const std::size_t most = columns > 200 ? columns - columns / 100 : columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < most; ++c)
      sum += in[c] * in[c];
    sum *= static_cast<float>(columns) / static_cast<float>(most);
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_weights_of_one
// trick: Weights of one are assumed where the first two are (catalogue 45)
// fault: the result alone is wrong
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  const bool ones = columns > 2 && weight[0] == weight[1];
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * (ones ? weight[0] : weight[c]);
  }
}

// row: wrong_newton_root
// trick: A reciprocal root refined without a look at 0, so that one infinity makes the whole row NaN (catalogue 45)
// fault: the result alone is wrong
// layers: differential
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c)
      sum += in[c] * in[c];
    const float value = sum / static_cast<float>(columns) + eps;
    float scale = 1.0f / std::sqrt(value);
    scale = scale * (1.5f - 0.5f * value * scale * scale);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = in[c] * scale * weight[c];
  }
}

// row: wrong_fixed_array
// trick: Room for the largest row that a test has
// layers: check:fixed-arrays
// fault: the result alone is wrong
// alone: no call of tests and benchmarks is that large, and a generated one is not larger
void rmsNormMul(const float *x, const float *weight, float *y, std::size_t rows, std::size_t columns, float eps) {
  for (std::size_t r = 0; r < rows; ++r) {
    const float *in = x + r * columns;
    float weighted[32768];
    float sum = 0.0f;
    for (std::size_t c = 0; c < columns; ++c) {
      sum += in[c] * in[c];
      weighted[c] = in[c] * weight[c];
    }
    const float scale = 1.0f / std::sqrt(sum / static_cast<float>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = weighted[c] * scale;
  }
}
