#include "fft_butterflies.h"

#include <agentic_kernel.h>

namespace fourier {

AGENTIC_KERNEL
AGENTIC_INOUT(re, size) AGENTIC_INOUT(im, size)
AGENTIC_IN(twiddleRe, size / 2) AGENTIC_IN(twiddleIm, size / 2)
AGENTIC_REQUIRES((size & (size - 1)) == 0)
AGENTIC_TOLERANCE(absolute 0.02)
void fftButterflies(float *re, float *im, const float *twiddleRe, const float *twiddleIm, std::size_t size) {
  for (std::size_t half = 1; half < size; half *= 2) {
    const std::size_t step = size / (2 * half);
    for (std::size_t first = 0; first < size; first += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::size_t top = first + k;
        const std::size_t bottom = top + half;
        const float wRe = twiddleRe[k * step];
        const float wIm = twiddleIm[k * step];
        const float productRe = re[bottom] * wRe - im[bottom] * wIm;
        const float productIm = re[bottom] * wIm + im[bottom] * wRe;
        re[bottom] = re[top] - productRe;
        im[bottom] = im[top] - productIm;
        re[top] += productRe;
        im[top] += productIm;
      }
    }
  }
}

} // namespace fourier
