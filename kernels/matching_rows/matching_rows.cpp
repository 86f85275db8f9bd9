#include "matching_rows.h"

#include <agentic_kernel.h>

namespace columns {

AGENTIC_KERNEL
AGENTIC_IN(values, size) AGENTIC_IN(codes, size)
AGENTIC_OUT(rows, size)
AGENTIC_REQUIRES(size <= 4294967296)
std::size_t matchingRows(const std::int32_t *values, const std::uint16_t *codes, std::size_t size, std::int32_t low,
                         std::int32_t high, std::uint16_t key, std::uint32_t *rows) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (low <= values[i] && values[i] <= high && codes[i] == key)
      rows[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

} // namespace columns
