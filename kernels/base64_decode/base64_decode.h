// The bytes of a Base64 text, as mail, data URLs and JSON carry them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace base64 {

inline constexpr std::size_t kNotBase64 = ~std::size_t{0};

/// Decodes text[0 … size) by RFC 4648, section 4: the digits A … Z, a … z, 0 … 9, +, / for 0 … 63, no white space, and
/// one or two = in place of the last digits. Digit i holds bits 6i … 6i + 5 of the bytes, the most significant first;
/// bits that fill no byte are not looked at. Returns the number of bytes written, or kNotBase64 if size is no multiple
/// of 4 (then nothing is written) or at the first character that is no digit, = elsewhere included; then the bytes
/// that the digits before it complete have been written. `out` has size / 4 * 3 bytes, of which those behind the bytes
/// written keep their values. size may be 0; text and out are disjoint. Exact.
/// This form is in: CPython's binascii.c (a2b_base64).
std::size_t decode(const char *text, std::uint8_t *out, std::size_t size);

} // namespace base64
