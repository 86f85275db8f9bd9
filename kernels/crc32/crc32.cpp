#include "crc32.h"

#include <agentic_kernel.h>
#include <array>

namespace checksum {

namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;

/// What a byte leaves when it is divided by the polynomial.
constexpr std::array<std::uint32_t, 256> makeTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = rest & 1 ? rest >> 1 ^ kPolynomial : rest >> 1;
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = makeTable();

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(data, size)
std::uint32_t crc32(std::uint32_t crc, const std::uint8_t *data, std::size_t size) {
  crc = ~crc;
  for (std::size_t i = 0; i < size; ++i)
    crc = crc >> 8 ^ kTable[(crc ^ data[i]) & 0xff];
  return ~crc;
}

} // namespace checksum
