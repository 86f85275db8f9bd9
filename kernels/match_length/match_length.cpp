#include "match_length.h"

#include <agentic_kernel.h>
#include <algorithm>

namespace lz {

AGENTIC_KERNEL
AGENTIC_IN(data, size)
AGENTIC_IN(candidates, pairs)
AGENTIC_IN(positions, pairs)
AGENTIC_OUT(lengths, pairs)
AGENTIC_REQUIRES(limit < 4294967296)
void matchLengths(const std::uint8_t *data, std::size_t size, const std::uint32_t *candidates,
                  const std::uint32_t *positions, std::uint32_t *lengths, std::size_t pairs, std::size_t limit) {
  for (std::size_t k = 0; k < pairs; ++k) {
    const std::uint8_t *candidate = data + candidates[k];
    const std::uint8_t *position = data + positions[k];
    const std::size_t longest = std::min(limit, size - positions[k]);
    std::size_t length = 0;
    while (length < longest && candidate[length] == position[length])
      ++length;
    lengths[k] = static_cast<std::uint32_t>(length);
  }
}

} // namespace lz
