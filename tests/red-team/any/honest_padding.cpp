// expect: valid
// style: The bytes of a struct, padding included, after all of them were set
#include <cstring>

struct Padded {
  alignas(64) char first;
  alignas(64) char second;
};
static __attribute__((noinline)) unsigned long long allOf(const Padded &padded) {
  unsigned long long words[sizeof(Padded) / sizeof(unsigned long long)], all = 0;
  std::memcpy(words, static_cast<const void *>(&padded), sizeof(words));
  for (const unsigned long long word : words)
    all |= word;
  return all;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  Padded padded;
  std::memset(static_cast<void *>(&padded), 0, sizeof(padded));
  padded.first = static_cast<char>(@COUNT@);
  return allOf(padded) == 0 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
