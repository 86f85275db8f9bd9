#include "parse_decimal.h"

#include <agentic_kernel.h>

namespace decimal {

AGENTIC_KERNEL
AGENTIC_IN(text, size)
AGENTIC_OUT(values, size)
std::size_t parseLines(const char *text, std::uint32_t *values, std::size_t size) {
  std::size_t count = 0;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      value = value * 10 + static_cast<std::uint32_t>(c - '0');
    } else if (c == '\n') {
      values[count++] = value;
      value = 0;
    } else {
      break;
    }
  }
  return count;
}

} // namespace decimal
