// expect: valid
// style: memset, and eight bytes at a time
#include <cstring>

void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::memset(counts, 0, 256 * sizeof *counts);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, data + i, sizeof word);
    for (int byte = 0; byte < 8; ++byte)
      ++counts[(word >> (8 * byte)) & 0xff];
  }
  for (; i < size; ++i)
    ++counts[data[i]];
}
