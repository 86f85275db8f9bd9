// expect: valid
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
