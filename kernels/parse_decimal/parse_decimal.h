// Unsigned integers of a text, one a line.
#pragma once

#include <cstddef>
#include <cstdint>

namespace decimal {

/// Writes the value of each line of text[0 … size), modulo 2^32, and returns their number. A line is decimal digits,
/// usually 1 to 10 of them, and '\n'; any number of digits is allowed, and none at all is 0. Reading ends before the
/// first character that is neither a digit nor '\n'; a line that is not ended counts for nothing. `values` has room for
/// size numbers, of which those behind the ones written keep their values. size (in bytes) may be 0; text and values
/// are disjoint. Exact.
/// This form is in: nginx's ngx_string.c (ngx_atoi), a line a call; the column readers of databases.
std::size_t parseLines(const char *text, std::uint32_t *values, std::size_t size);

} // namespace decimal
