#include "tool/base/base64.h"

#include <cstddef>
#include <cstdint>

namespace agentic {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t offset = 0; offset < 3; ++offset)
      three = three << 8 | (at + offset < bytes.size() ? static_cast<unsigned char>(bytes[at + offset]) : 0U);
    const std::size_t left = bytes.size() - at;
    text += kDigits[three >> 18];
    text += kDigits[three >> 12 & 63];
    text += left > 1 ? kDigits[three >> 6 & 63] : '=';
    text += left > 2 ? kDigits[three & 63] : '=';
  }
  return text;
}

} // namespace agentic
