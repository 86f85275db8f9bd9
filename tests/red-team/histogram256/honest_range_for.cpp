// expect: valid
// style: A loop over a span
#include <span>

void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::uint32_t &count : std::span(counts, 256))
    count = 0;
  for (const std::uint8_t value : std::span(data, size))
    ++counts[value];
}
