// expect: valid
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
