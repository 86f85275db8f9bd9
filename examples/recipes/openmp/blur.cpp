#include "blur.h"

#include <algorithm>

void blur(const float *in, float *out, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kRows = 16; // of one block: enough work for a call, few enough to share evenly
  const auto blocks = static_cast<long>((rows + kRows - 1) / kRows);
#pragma omp parallel for schedule(static)
  for (long block = 0; block < blocks; ++block) {
    const std::size_t begin = static_cast<std::size_t>(block) * kRows;
    blurRows(in, out, begin, std::min(begin + kRows, rows), columns);
  }
}
