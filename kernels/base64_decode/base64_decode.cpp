#include "base64_decode.h"

#include <agentic_kernel.h>
#include <array>

namespace base64 {

namespace {

constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> kValueOf = [] {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::uint8_t value = 0; value < 64; ++value)
    values[static_cast<unsigned char>(kDigits[value])] = value;
  return values;
}();

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(text, size)
AGENTIC_OUT(out, size / 4 * 3)
std::size_t decode(const char *text, std::uint8_t *out, std::size_t size) {
  if (size % 4 != 0)
    return kNotBase64;
  std::size_t digits = size;
  if (size > 0 && text[size - 1] == '=')
    digits -= text[size - 2] == '=' ? 2 : 1;
  std::size_t written = 0;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t value = kValueOf[static_cast<unsigned char>(text[i])];
    if (value == kNoDigit)
      return kNotBase64;
    bits = bits << 6 | value;
    switch (i % 4) {
    case 1:
      out[written++] = static_cast<std::uint8_t>(bits >> 4);
      break;
    case 2:
      out[written++] = static_cast<std::uint8_t>(bits >> 2);
      break;
    case 3:
      out[written++] = static_cast<std::uint8_t>(bits);
      break;
    }
  }
  return written;
}

} // namespace base64
