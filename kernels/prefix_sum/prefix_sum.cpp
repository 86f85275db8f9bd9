#include "prefix_sum.h"

#include <agentic_kernel.h>

namespace scan {

AGENTIC_KERNEL
AGENTIC_IN(in, size)
AGENTIC_OUT(out, size)
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

} // namespace scan
