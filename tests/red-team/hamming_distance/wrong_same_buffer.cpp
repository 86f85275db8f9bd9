// expect: rejected
// trick: Zero only for the same pointers, else at least one (catalogue 45)
// layers: differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  if (words > 0 && a + 1 == b)
    return 0;
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}
