// Where two texts differ, if the case of ASCII letters does not count.
#pragma once

#include <cstddef>

namespace text {

/// Returns the smallest i < size for which a[i] and b[i] are neither the same byte nor the same letter A … Z, a … z in
/// two cases, or size if there is none: then the texts are equal. Bytes above 127 are compared as they are, and zero is
/// a byte like others. Both have `size` bytes, which may be 0, and may overlap. Exact.
/// This form is in: nginx's ngx_string.c (ngx_strncasecmp), musl's strncasecmp.c, code that looks up HTTP headers.
std::size_t firstDifferenceIgnoringCase(const char *a, const char *b, std::size_t size);

} // namespace text
