// The checksum of zlib streams.
#pragma once

#include <cstddef>
#include <cstdint>

namespace checksum {

/// Adler-32 of RFC 1950: from a = adler % 65536 and b = adler / 65536, a = (a + data[i]) mod 65521 and then b = (b + a)
/// mod 65521 for each byte in turn; returns b · 65536 + a. `adler` is 1 to begin with, or the result for the bytes
/// before these; both its halves are below 65521. size may be 0. Exact.
///
/// This form is in: the sample code of RFC 1950, and zlib's adler32.c, which divides less often.
std::uint32_t adler32(std::uint32_t adler, const std::uint8_t *data, std::size_t size);

} // namespace checksum
