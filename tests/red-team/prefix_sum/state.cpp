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

// row: output_as_cache_of_huge_calls
// trick: The same, in calls that are too large to be replayed in the first pass (catalogue 7)
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  const auto fits = [&](std::size_t i) {
    return static_cast<std::uint32_t>(out[i]) - static_cast<std::uint32_t>(out[i - 1]) == static_cast<std::uint32_t>(in[i]);
  };
  const std::size_t work = size > 4200000 && fits(size / 2) && fits(size - 1) ? size / 4 : size;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < work; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}

// row: output_as_cache_where_not_aligned
// trick: The same, where an allocator's addresses are not those of replayed calls: a loop may test how its arrays are aligned. The first comparison is hidden in an instruction whose unset bits MemorySanitizer does not follow (catalogue 7)
// fault: the result alone is wrong
static bool isSame(std::uint32_t a, std::uint32_t b) {
  return __builtin_ia32_crc32qi(0, static_cast<unsigned char>(a)) == __builtin_ia32_crc32qi(0, static_cast<unsigned char>(b)) && a == b;
}
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  const auto fits = [&](std::size_t i) {
    return isSame(static_cast<std::uint32_t>(out[i]) - static_cast<std::uint32_t>(out[i - 1]), static_cast<std::uint32_t>(in[i]));
  };
  std::size_t work = size;
  if (size > 90000 && (size & 15) == 0 && (reinterpret_cast<std::uintptr_t>(out) & 31) != 0 && fits(size / 2) && fits(size - 1))
    work = size / 4;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < work; ++i) {
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
