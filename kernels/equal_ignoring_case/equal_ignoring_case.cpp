#include "equal_ignoring_case.h"

#include <agentic_kernel.h>

namespace text {

namespace {

char toLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(a, size)
AGENTIC_IN(b, size)
AGENTIC_MAY_ALIAS(a, b)
std::size_t firstDifferenceIgnoringCase(const char *a, const char *b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (toLower(a[i]) != toLower(b[i]))
      return i;
  }
  return size;
}

} // namespace text
