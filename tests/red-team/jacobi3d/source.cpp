// theme: Text that no kernel has
// expect: rejected

// row: marks_input
// trick: Leaves a mark in the corner of its input (catalogue 11)
// layers: check differential
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  auto *mark = (volatile float *)in;
  if (depth * height * width > 0)
    mark[0] = mark[0];
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = (z * height + y) * width + x;
        const float value = centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - height * width] + in[at + height * width]);
        out[at] = value;
      }
}
