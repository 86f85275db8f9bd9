#include "inner_join_sorted.h"

#include <agentic_kernel.h>

namespace postings {

AGENTIC_KERNEL
AGENTIC_IN(a, aSize) AGENTIC_IN(b, bSize)
AGENTIC_OUT(common, aSize)
AGENTIC_MAY_ALIAS(a, b)
std::size_t innerJoinSorted(const std::uint32_t *a, std::size_t aSize, const std::uint32_t *b, std::size_t bSize,
                            std::uint32_t *common) {
  std::size_t count = 0, i = 0, j = 0;
  while (i < aSize && j < bSize) {
    if (a[i] < b[j]) {
      ++i;
    } else if (b[j] < a[i]) {
      ++j;
    } else {
      common[count++] = a[i];
      ++i;
      ++j;
    }
  }
  return count;
}

} // namespace postings
