// The passes of a fast Fourier transform.
#pragma once

#include <cstddef>

namespace fourier {

/// All log2(size) radix-2 passes over x = re + i · im, in place: for half = 1, 2, 4, … size / 2, in each block of
/// 2 · half elements, and for k < half, with w = twiddle[k · size / (2 · half)]:
/// (x[k], x[k + half]) = (x[k] + w · x[k + half], x[k] - w · x[k + half]), where twiddle = twiddleRe + i · twiddleIm
/// has size / 2 elements and can be any table. With twiddle[k] = exp(-2πi · k / size) and x in bit-reversed order the
/// result is the discrete Fourier transform of x, without a factor, in natural order. size is a power of two or 0. The
/// four arrays are disjoint. For |re|, |im| and |twiddle| of at most 1 and sizes up to 4096 each result is within 0.02
/// of the exact one.
///
/// This form is in: KissFFT's kf_bfly2 (one pass), the simple FFTs of embedded and audio code.
void fftButterflies(float *re, float *im, const float *twiddleRe, const float *twiddleIm, std::size_t size);

} // namespace fourier
