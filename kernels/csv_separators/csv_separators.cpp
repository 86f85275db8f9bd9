#include "csv_separators.h"

#include <agentic_kernel.h>

namespace csv {

AGENTIC_KERNEL
AGENTIC_IN(text, size)
AGENTIC_OUT(positions, size)
std::size_t findSeparators(const char *text, std::uint32_t *positions, std::size_t size, char separator) {
  std::size_t count = 0;
  bool isQuoted = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted && (text[i] == separator || text[i] == '\n'))
      positions[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

} // namespace csv
