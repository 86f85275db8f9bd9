#include "utf8_validate.h"

#include <agentic_kernel.h>

namespace text {

namespace {

// Table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences", tells bytes apart by these classes only:
//   0  ASCII, 00..7F            4  never: C0, C1, F5..FF     8  lead ED
//   1  continuation, 80..8F     5  lead C2..DF               9  lead F0
//   2  continuation, 90..9F     6  lead E0                   10 lead F1..F3
//   3  continuation, A0..BF     7  lead E1..EC, EE, EF       11 lead F4
constexpr std::size_t kClasses = 12;

constexpr std::uint8_t kClassOf[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 00
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 20
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 40
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 60
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2,  2,  2,  2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, // 80
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,  3,  3,  3,  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, // A0
    4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,  5,  5,  5,  5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, // C0
    6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 7, 9, 10, 10, 10, 11, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4  // E0
};

constexpr std::size_t kStart = 0; // between characters: the only state in which a text may end
constexpr std::size_t kStates = 9;

// State and class of the next byte to the state after it. Nothing leaves state 1.
constexpr std::uint8_t kNext[kStates][kClasses] = {
    {0, 1, 1, 1, 1, 2, 5, 3, 6, 7, 4, 8}, // 0: between characters
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, // 1: ill-formed
    {1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, // 2: one more continuation
    {1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}, // 3: two more
    {1, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, // 4: three more
    {1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1}, // 5: after E0; A0..BF, the rest would be overlong
    {1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1}, // 6: after ED; 80..9F, the rest are surrogates
    {1, 1, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, // 7: after F0; 90..BF, the rest would be overlong
    {1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}  // 8: after F4; 80..8F, the rest are above U+10FFFF
};

} // namespace

AGENTIC_KERNEL
AGENTIC_IN(text, size)
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kNext[state][kClassOf[text[i]]];
  return state == kStart;
}

} // namespace text
