// What is left to do to the rows of a PNG image once they are decompressed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace png {

/// Reverses the filters of PNG (chapter 9 of its specification). Each of the `rows` rows of `in` is one byte, its
/// filter, and `rowBytes` bytes; `out` holds the rows without filters. With `left` = the byte `bytesPerPixel` before it
/// in its row, `above` = the one in the row before, `corner` = the one left of `above`, all of `out` and 0 where there
/// is none, a byte of `out` is the one of `in` plus, modulo 256:
///   filter 1 (Sub)      left
///   filter 2 (Up)       above
///   filter 3 (Average)  (left + above) / 2, rounded down
///   filter 4 (Paeth)    that of left, above and corner which is nearest to left + above - corner; the first such one
///   others (0: None)    0
/// bytesPerPixel is 3 or 4 and divides rowBytes; rows and rowBytes may be 0. in and out are disjoint. Exact.
/// This form is in: lodepng's unfilterScanline, stb_image's stbi__create_png_image_raw, libpng's pngrutil.c.
void unfilter(const std::uint8_t *in, std::uint8_t *out, std::size_t rows, std::size_t rowBytes,
              std::size_t bytesPerPixel);

} // namespace png
