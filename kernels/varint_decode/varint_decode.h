// Integers of variable length, as messages and posting lists keep them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace coding {

/// Decodes `count` unsigned integers in LEB128 from the `size` bytes of `in`: seven bits in each byte, the lowest
/// first, and the highest bit set in all bytes of a value but its last. A value has 1 to 5 bytes, also where fewer
/// would do; bits that do not fit 32 are dropped. Returns the number of bytes that the values take, or 0 if a value has
/// more than 5 bytes or the input ends before the last one; then `values` is unspecified. count and size may be 0; the
/// arrays are disjoint. Exact.
///
/// This form is in: Protobuf's coded_stream.cc (ReadVarint32), and LLVM's LEB128.h (decodeULEB128).
std::size_t varintDecode(const std::uint8_t *in, std::size_t size, std::uint32_t *values, std::size_t count);

} // namespace coding
