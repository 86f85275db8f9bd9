#include "normalise.h"

#include <agentic_kernel.h>

#include <cstddef>
#include <stdexcept>

// Not part of the interface: it may have arguments that only fit its caller.
AGENTIC_KERNEL
AGENTIC_IN(values, count)
AGENTIC_OUT(result, count)
AGENTIC_REQUIRES(count > 0)
AGENTIC_REQUIRES(step > 0)
static void distances(const std::uint32_t *values, std::uint32_t *result, std::size_t count, std::uint32_t step) {
  std::uint32_t smallest = values[0];
  for (std::size_t i = 1; i < count; ++i)
    smallest = values[i] < smallest ? values[i] : smallest;
  for (std::size_t i = 0; i < count; ++i)
    result[i] = (values[i] - smallest) / step;
}

std::vector<std::uint32_t> normalise(const std::vector<std::uint32_t> &values, std::uint32_t step) {
  if (values.empty() || step == 0)
    throw std::invalid_argument("normalise: no values, or a step of zero");
  std::vector<std::uint32_t> result(values.size());
  distances(values.data(), result.data(), values.size(), step);
  return result;
}
