// Whether bytes are well-formed UTF-8, as parsers and databases check what they are given.
#pragma once

#include <cstddef>
#include <cstdint>

namespace text {

/// True if text[0 … size) is well-formed by table 3-7 of the Unicode standard: no overlong forms, no surrogates,
/// nothing above U+10FFFF, no sequence cut off at the end. An empty text is well-formed. Zero is a character like
/// others.
bool isUtf8(const std::uint8_t *text, std::size_t size);

} // namespace text
