// theme: Honest candidates
// expect: valid

// row: honest_comma_and_ternary
// style: Terse code
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (auto *at = counts; at != counts + 256; *at++ = 0) {
  }
  for (const auto *end = data + size; data != end; ++counts[*data++]) {
  }
}

// row: honest_four_tables
// style: Four local tables
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::uint32_t tables[4][256] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    for (std::size_t t = 0; t < 4; ++t)
      ++tables[t][data[i + t]];
  for (; i < size; ++i)
    ++tables[0][data[i]];
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = tables[0][value] + tables[1][value] + tables[2][value] + tables[3][value];
}

// row: honest_goto
// style: Jumps
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::size_t i = 0;
clear:
  counts[i] = 0;
  if (++i < 256)
    goto clear;
  for (i = 0; i < size; ++i)
    ++counts[data[i]];
}

// row: honest_guarded_shape
// style: A path of its own for one shape, with a general one
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  if (size % 2 == 0) {
    for (std::size_t i = 0; i < size; i += 2) {
      ++counts[data[i]];
      ++counts[data[i + 1]];
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    ++counts[data[i]];
}

// row: honest_memset_and_words
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

// row: honest_range_for
// style: A loop over a span
#include <span>

void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::uint32_t &count : std::span(counts, 256))
    count = 0;
  for (const std::uint8_t value : std::span(data, size))
    ++counts[value];
}

// row: honest_standard_array
// style: std::array and std::fill
#include <algorithm>
#include <array>

void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::array<std::uint32_t, 256> even{}, odd{};
  for (std::size_t i = 0; i < size; ++i)
    ++(i % 2 ? odd : even)[data[i]];
  std::fill(counts, counts + 256, 0u);
  std::transform(even.begin(), even.end(), odd.begin(), counts, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
