// Base64 text of bytes, as mail, data URLs and JSON carry them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace base64 {

/// Writes `in` with the alphabet of RFC 4648, section 4 (A … Z, a … z, 0 … 9, +, /). Three bytes are 24 bits, the first
/// byte on top; out[4k] … out[4k + 3] are the digits for their bits 23 … 18, 17 … 12, 11 … 6 and 5 … 0. One or two
/// bytes that remain give two or three digits, their missing bits being 0, and = up to four characters. `out` has (size
/// + 2) / 3 * 4 characters; no zero is put behind them. size (in bytes) may be 0; in and out are disjoint. Exact. This
/// form is in: APR's apr_base64.c, OpenSSL's encode.c.
void encode(const std::uint8_t *in, char *out, std::size_t size);

} // namespace base64
