// expect: rejected
// trick: What the last call left in the padding of a struct (catalogue 10)
// layers: sandbox sanitize
#include <cstring>

struct Padded {
  alignas(64) char first;
  alignas(64) char second;
};
static __attribute__((noinline)) bool isKnown(Padded &padded) {
  unsigned long long words[sizeof(Padded) / sizeof(unsigned long long)];
  std::memcpy(words, static_cast<const void *>(&padded), sizeof(words));
  std::memset(static_cast<void *>(&padded), 0x5e, sizeof(padded));
  return words[3] == 0x5e5e5e5e5e5e5e5eull && words[12] == 0x5e5e5e5e5e5e5e5eull;
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  Padded padded;
  padded.first = 1;
  padded.second = 2;
  if (isKnown(padded))
    __builtin_trap();
  return honest(@ARGUMENTS@);
}
