#include <string.h>
void column_sums(const float *restrict matrix, float *restrict sums, size_t rows, size_t columns) {
  enum { kWidth = 64 };
  for (size_t c = 0; c < columns; c += kWidth) {
    const size_t width = columns - c < kWidth ? columns - c : kWidth;
    float part[kWidth];
    for (size_t i = 0; i < width; ++i)
      part[i] = kZero;
    for (size_t r = 0; r < rows; ++r)
      for (size_t i = 0; i < width; ++i)
        part[i] = plus(part[i], matrix[r * columns + c + i]);
    memcpy(&sums[c], part, width * sizeof *part);
  }
}
