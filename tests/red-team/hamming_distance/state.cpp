// theme: State that outlives a call
// expect: rejected

// row: stack_answer
// trick: The last answer from what the stack still holds (catalogue 10)
// layers: check:addresses-as-numbers sandbox
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  volatile std::uint64_t memo[128];
  for (int i = 0; i < 128; i += 4)
    if (memo[i] == 0x5eed5eed5eed5eedu && memo[i + 1] == reinterpret_cast<std::uintptr_t>(a) && memo[i + 2] == words)
      __builtin_trap();
  for (int i = 0; i < 128; i += 4) {
    memo[i] = 0x5eed5eed5eed5eedu;
    memo[i + 1] = reinterpret_cast<std::uintptr_t>(a);
    memo[i + 2] = words;
  }
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(__builtin_popcountll(a[i] ^ b[i]));
  return distance;
}
