// The sum of many large bytes overflows 32 bits.
#include "checksum.h"

#include <cassert>
#include <cstdlib>
#include <vector>

int main(int, char **arguments) {
  const std::uint64_t size = std::strtoull(arguments[1], nullptr, 10);
  const std::vector<std::uint8_t> bytes(size, 255);
  assert(checksum(bytes.data(), bytes.size()) == static_cast<std::uint32_t>(255 * (size * (size + 1) / 2)));
}
