// The activation function of GPT-2 and BERT.
#pragma once

#include <cstddef>

namespace activation {

/// out[i] = x / 2 · (1 + tanh(sqrt(2 / π) · (x + 0.044715 · x³))) with x = in[i], for i < size: the Gaussian error
/// linear unit in its approximation by tanh. in and out are disjoint; size may be 0. Each result is within 1e-5 ·
/// min(1, |x|) of the exact one, for every finite x. NaN gives NaN, infinity infinity, and -infinity NaN, as the
/// formula does.
/// This form is in: llm.c (gelu_forward of train_gpt2.c), ggml (ggml_gelu_f32).
void gelu(const float *in, float *out, std::size_t size);

} // namespace activation
