// expect: rejected
// trick: A distance of 16 bits (catalogue 42)
// layers: differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint16_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance = static_cast<std::uint16_t>(distance + __builtin_popcountll(a[i] ^ b[i]));
  return distance;
}
