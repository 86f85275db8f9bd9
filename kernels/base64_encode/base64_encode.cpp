#include "base64_encode.h"

#include <agentic_kernel.h>

namespace base64 {

namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(in, size)
AGENTIC_OUT(out, (size + 2) / 3 * 4)
void encode(const std::uint8_t *in, char *out, std::size_t size) {
  std::size_t i = 0, written = 0;
  for (; i + 2 < size; i += 3) {
    out[written++] = kDigits[in[i] >> 2];
    out[written++] = kDigits[(in[i] & 3) << 4 | in[i + 1] >> 4];
    out[written++] = kDigits[(in[i + 1] & 15) << 2 | in[i + 2] >> 6];
    out[written++] = kDigits[in[i + 2] & 63];
  }
  if (i + 1 == size) {
    out[written++] = kDigits[in[i] >> 2];
    out[written++] = kDigits[(in[i] & 3) << 4];
    out[written++] = '=';
    out[written] = '=';
  } else if (i + 2 == size) {
    out[written++] = kDigits[in[i] >> 2];
    out[written++] = kDigits[(in[i] & 3) << 4 | in[i + 1] >> 4];
    out[written++] = kDigits[(in[i + 1] & 15) << 2];
    out[written] = '=';
  }
}

} // namespace base64
