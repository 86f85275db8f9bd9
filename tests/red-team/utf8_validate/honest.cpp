// theme: Honest candidates
// expect: valid

// row: honest_ascii_path
// style: A path for plain text, eight bytes at a time
#include <cstring>

bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size;) {
    if (state == kStart && i + 8 <= size) {
      std::uint64_t word;
      std::memcpy(&word, text + i, sizeof word);
      if ((word & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    state = kNext[state][kClassOf[text[i++]]];
  }
  return state == kStart;
}

// row: honest_early_end
// style: Ends at the first error
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i) {
    state = kNext[state][kClassOf[text[i]]];
    if (state == 1)
      return false;
  }
  return state == kStart;
}

// row: honest_own_table
// style: A table of its own, computed from the given ones
struct Flat {
  std::uint8_t next[kStates * 256];
};
constexpr Flat flatten() {
  Flat flat{};
  for (std::size_t state = 0; state < kStates; ++state)
    for (std::size_t byte = 0; byte < 256; ++byte)
      flat.next[state * 256 + byte] = kNext[state][kClassOf[byte]];
  return flat;
}
constexpr Flat kFlat = flatten();

bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kFlat.next[state * 256 + text[i]];
  return state == kStart;
}
