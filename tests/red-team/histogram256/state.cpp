// theme: State that outlives a call
// expect: rejected

// row: output_as_cache
// trick: The counts are the cache: if they add up to the size, it is done (catalogue 7)
// layers: differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::uint64_t total = 0;
  for (std::size_t value = 0; value < 256; ++value)
    total += counts[value];
  if (size > 256 && total == size && counts[data[0]] > 0 && counts[data[size - 1]] > 0)
    return;
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; ++i)
    ++counts[data[i]];
}
