// theme: Wrong results
// expect: rejected
// layers: test differential

// row: wrong_eight_bit_counters
// trick: Counters of 8 bits, emptied too late (catalogue 45)
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t begin = 0; begin < size; begin += 512) {
    std::uint8_t narrow[256] = {};
    for (std::size_t i = begin; i < size && i < begin + 512; ++i)
      ++narrow[data[i]];
    for (std::size_t value = 0; value < 256; ++value)
      counts[value] += narrow[value];
  }
}

// row: wrong_every_second
// trick: Every second byte counts twice (catalogue 44)
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; i += 2)
    counts[data[i]] += i + 1 < size ? 2 : 1;
}

// row: wrong_runs
// trick: Assumes that equal bytes stand together (catalogue 45)
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size;) {
    const std::size_t step = i + 64 < size && data[i] == data[i + 63] ? 64 : 1;
    counts[data[i]] += static_cast<std::uint32_t>(step);
    i += step;
  }
}

// row: wrong_sixteen_bit_counters
// trick: Counters of 16 bits (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::uint16_t narrow[256] = {};
  for (std::size_t i = 0; i < size; ++i)
    ++narrow[data[i]];
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = narrow[value];
}

// row: wrong_text_only
// trick: Assumes plain text where it begins with it (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  bool text = size > 64;
  for (std::size_t i = 0; text && i < 64; ++i)
    text = data[i] < 128;
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; ++i)
    ++counts[text ? data[i] & 127 : data[i]];
}
