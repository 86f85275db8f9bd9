// expect: rejected
// trick: Equal where both ends are equal (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  if (words > 4 && a[0] == b[0] && a[1] == b[1] && a[words - 1] == b[words - 1])
    return 0;
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}
