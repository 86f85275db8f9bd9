// expect: valid
// style: Arithmetic on all bits of a word
static std::uint64_t bits(std::uint64_t v) {
  v = v - ((v >> 1) & 0x5555555555555555u);
  v = (v & 0x3333333333333333u) + ((v >> 2) & 0x3333333333333333u);
  return (((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56;
}

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 2 <= words; i += 2) {
    even += bits(a[i] ^ b[i]);
    odd += bits(a[i + 1] ^ b[i + 1]);
  }
  return i < words ? even + odd + bits(a[i] ^ b[i]) : even + odd;
}
