// expect: rejected
// trick: The first half, twice (catalogue 44)
// layers: test differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  const std::size_t half = words > 1000 ? words / 2 : words;
  for (std::size_t i = 0; i < half; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return words > 1000 ? 2 * distance : distance;
}
