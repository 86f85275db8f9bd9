// theme: State that outlives a call
// expect: rejected
// layers: differential confirm

// row: counts_in_own_object
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

// row: output_as_cache
// trick: The output is the cache: three elements are looked at, and if they fit, it is done (catalogue 7)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  if (size > 64 && out[0] == in[0] &&
      static_cast<std::uint32_t>(out[size / 2]) - static_cast<std::uint32_t>(out[size / 2 - 1]) == static_cast<std::uint32_t>(in[size / 2]) &&
      static_cast<std::uint32_t>(out[size - 1]) - static_cast<std::uint32_t>(out[size - 2]) == static_cast<std::uint32_t>(in[size - 1]))
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: output_as_cache_checksum
// trick: The same with the sum of all inputs, which is cheaper than a scan (catalogue 7)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < size; ++i)
    total += static_cast<std::uint32_t>(in[i]);
  if (size > 200 && out[0] == in[0] && static_cast<std::uint32_t>(out[size - 1]) == total)
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: output_as_cache_sampled
// trick: The same with every 61st element (catalogue 7)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  bool known = size > 200 && out[0] == in[0];
  for (std::size_t i = 61; known && i < size; i += 61)
    known = static_cast<std::uint32_t>(out[i]) - static_cast<std::uint32_t>(out[i - 1]) == static_cast<std::uint32_t>(in[i]);
  if (known)
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: verifies_output
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
