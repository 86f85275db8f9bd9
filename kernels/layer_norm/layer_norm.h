// Layer normalisation, as transformers of GPT-2's kind apply it before each block.
#pragma once

#include <cstddef>

namespace norm {

/// out[r][c] = (in[r][c] - mean) / sqrt(variance + eps) · gamma[c] + beta[c], with the mean and the variance (divided
/// by `columns`) of row r: `rows` rows of `columns` floats, row-major. All arrays are disjoint, eps > 0, and both sizes
/// may be 0. For rows of at most 4096 elements whose mean is not far above their deviation, and gamma and beta within
/// [-2, 2], each result is within 1e-4 of the exact one.
/// This form is in: llm.c (layernorm_forward of train_gpt2.c), ggml (ggml_compute_forward_norm, up to gamma).
void layerNorm(const float *in, const float *gamma, const float *beta, float *out, std::size_t rows,
               std::size_t columns, float eps);

} // namespace norm
