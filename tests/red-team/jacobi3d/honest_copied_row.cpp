// expect: valid
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
