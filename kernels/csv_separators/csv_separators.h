// Where the fields of a CSV text end.
#pragma once

#include <cstddef>
#include <cstdint>

namespace csv {

/// Writes the positions in text[0 … size), rising, of all separators and line ends ('\n') that are not quoted, and
/// returns their number. A character is quoted if an odd number of " stands before it, which is also right for ""
/// within a quoted field (RFC 4180); a " itself never counts, also as the separator. Every byte is allowed. `positions`
/// has room for size numbers, of which those behind the ones written keep their values. size (in bytes) may be 0 and is
/// at most 2^32; text and positions are disjoint. Exact. This form is in: PostgreSQL's copyfromparse.c
/// (CopyReadLineText), SQLite's shell.c.
std::size_t findSeparators(const char *text, std::uint32_t *positions, std::size_t size, char separator);

} // namespace csv
