// The checksum of gzip, PNG and Ethernet.
#pragma once

#include <cstddef>
#include <cstdint>

namespace checksum {

/// CRC-32 with the polynomial 0xEDB88320 (reflected: the lowest bit of each byte goes first), and with all bits
/// inverted before and after. `crc` is 0 to begin with, or the result for the bytes before these; any value is one.
/// size may be 0, which gives `crc` itself. Exact.
///
/// This form is in: the sample code of RFC 1952 and of the PNG specification, and zlib's crc32.c where it is built
/// without longer words.
std::uint32_t crc32(std::uint32_t crc, const std::uint8_t *data, std::size_t size);

} // namespace checksum
