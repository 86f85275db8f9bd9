#pragma once

#include <cstddef>

/// out = each pixel with its two neighbours in the row, averaged; the borders are copied. On all threads of OpenMP.
void blur(const float *in, float *out, std::size_t rows, std::size_t columns);

/// The same for rows begin … end - 1, on the calling thread.
void blurRows(const float *in, float *out, std::size_t begin, std::size_t end, std::size_t columns);
