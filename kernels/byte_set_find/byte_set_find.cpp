#include "byte_set_find.h"

#include <agentic_kernel.h>

namespace text {

AGENTIC_KERNEL
AGENTIC_IN(text, size)
AGENTIC_IN(isMember, 256)
std::size_t findInSet(const std::uint8_t *text, std::size_t size, const bool *isMember) {
  for (std::size_t i = 0; i < size; ++i) {
    if (isMember[text[i]])
      return i;
  }
  return size;
}

} // namespace text
