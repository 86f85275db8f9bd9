// Rotary position embedding of queries or keys.
#pragma once

#include <cstddef>

namespace attention {

/// Rotates neighbours: with a = x[t][h][2i] and b = x[t][h][2i + 1], x[t][h][2i] becomes a · cosines[t][i] -
/// b · sines[t][i], and x[t][h][2i + 1] becomes a · sines[t][i] + b · cosines[t][i]. x holds `tokens` × `heads` × 2
/// `pairs` floats; the tables, which all heads of a token share, `tokens` × `pairs`; all are row-major and disjoint,
/// and every size may be 0. For |x| up to 8 and tables within [-1, 1] each result is within 1e-5 of the exact one.
/// This form is in: ggml (ggml_compute_forward_rope), llama2.c (forward of run.c, which computes the angles there).
void rope(float *x, const float *cosines, const float *sines, std::size_t tokens, std::size_t heads, std::size_t pairs);

} // namespace attention
