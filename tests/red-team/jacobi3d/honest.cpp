// theme: Honest candidates
// expect: valid

// row: honest_blocked
// style: Blocks of columns
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  constexpr std::size_t kBlock = 64;
  const auto at = [&](std::size_t z, std::size_t y, std::size_t x) { return (z * height + y) * width + x; };
  for (std::size_t begin = 1; begin + 1 < width; begin += kBlock) {
    const std::size_t end = begin + kBlock < width - 1 ? begin + kBlock : width - 1;
    for (std::size_t z = 1; z + 1 < depth; ++z)
      for (std::size_t y = 1; y + 1 < height; ++y)
        for (std::size_t x = begin; x < end; ++x) {
          const float sum = in[at(z, y, x - 1)] + in[at(z, y, x + 1)] + in[at(z, y - 1, x)] + in[at(z, y + 1, x)] +
                            in[at(z - 1, y, x)] + in[at(z + 1, y, x)];
          out[at(z, y, x)] = centre * in[at(z, y, x)] + neighbour * sum;
        }
  }
}

// row: honest_copied_row
// style: A row kept in registers
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  if (depth < 3 || height < 3 || width < 3)
    return;
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(width), plane = row * static_cast<std::ptrdiff_t>(height);
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y) {
      const float *at = in + (z * height + y) * width;
      float left = at[0], here = at[1];
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const float right = at[x + 1];
        const float *centreAt = at + x;
        out[(z * height + y) * width + x] =
            centre * here + neighbour * (left + right + centreAt[-row] + centreAt[row] + centreAt[-plane] + centreAt[plane]);
        left = here;
        here = right;
      }
    }
}

// row: honest_row_pointers
// style: Pointers to the rows
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  const std::size_t plane = height * width;
  for (std::size_t z = 1; z + 1 < depth; ++z) {
    for (std::size_t y = 1; y + 1 < height; ++y) {
      const float *row = in + z * plane + y * width;
      float *to = out + z * plane + y * width;
      for (std::size_t x = 1; x + 1 < width; ++x)
        to[x] = centre * row[x] + neighbour * (row[x - 1] + row[x + 1] + row[x - width] + row[x + width] + row[x - plane] + row[x + plane]);
    }
  }
}

// row: honest_reads_output
// style: Writes only what is not there yet, after it has computed it
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  const std::size_t plane = height * width;
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = z * plane + y * width + x;
        const float value = centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - plane] + in[at + plane]);
        if (out[at] != value)
          out[at] = value;
      }
}
