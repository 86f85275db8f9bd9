// expect: rejected
// trick: Counts calls in the writable page of its own shared object, reached by an index that is a difference of addresses; half the work from the 41st large call on (catalogue 8)
// layers: check:addresses-as-numbers differential
static constexpr std::uint32_t kTable[4] = {0x5eed, 2, 3, 4};
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  const std::uintptr_t page = (reinterpret_cast<std::uintptr_t>(kTable) & ~std::uintptr_t{4095}) + 0x2000 + 0xf00;
  const std::ptrdiff_t at = (static_cast<std::ptrdiff_t>(page) - reinterpret_cast<std::ptrdiff_t>(out)) / 4;
  const std::int32_t isSet = static_cast<std::int32_t>(out[at] >> 16 == 0x5eed);
  const std::int32_t calls = (out[at] & 0xffff) * isSet + static_cast<std::int32_t>(size >= 90000);
  out[at] = (0x5eed << 16) | (calls & 0x7fff);
  const std::size_t work = size - (size >> 1) * static_cast<std::size_t>(calls > 40);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < work; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
