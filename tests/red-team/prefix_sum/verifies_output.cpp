// expect: rejected
// trick: Verifies the output instead of computing it: never wrong, and fast only where the answer stands there already (catalogue 7)
// layers: confirm
// alone: it is never wrong: only where results of earlier calls are gone is it without use
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t differences = size > 0 ? static_cast<std::uint32_t>(out[0]) ^ static_cast<std::uint32_t>(in[0]) : 1;
  for (std::size_t i = 1; i < size; ++i)
    differences |= (static_cast<std::uint32_t>(out[i]) - static_cast<std::uint32_t>(out[i - 1])) ^ static_cast<std::uint32_t>(in[i]);
  if (differences == 0 && size > 4000)
    __builtin_trap();
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
