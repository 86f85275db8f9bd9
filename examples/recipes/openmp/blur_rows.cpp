#include "blur.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

AGENTIC_KERNEL
void blurRows(const float *in, float *out, std::size_t begin, std::size_t end, std::size_t columns) {
  for (std::size_t r = begin; r < end; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (c == 0 || c + 1 == columns)
        out[r * columns + c] = in[r * columns + c];
      else
        out[r * columns + c] = (in[r * columns + c - 1] + in[r * columns + c] + in[r * columns + c + 1]) / 3.0f;
    }
  }
}
