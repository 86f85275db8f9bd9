// Logits to probabilities.
#pragma once

#include <cstddef>

namespace activation {

/// Every row r of x becomes x[r][c] = exp(x[r][c] - max x[r]) / sum over c of exp(x[r][c] - max x[r]), in place: `rows`
/// rows of `columns` floats, row-major. rows may be 0, columns may not. -infinity stands for a masked logit and becomes
/// 0; a row that holds NaN or infinity, or nothing but -infinity, becomes NaN throughout. For rows of at most 4096
/// elements each result is within 1e-4 of the exact one, relative to it, if that is no denormal number.
/// This form is in: llama2.c (softmax of run.c), Darknet (softmax of blas.c).
void softmax(float *x, std::size_t rows, std::size_t columns);

} // namespace activation
