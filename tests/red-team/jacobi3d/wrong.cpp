// theme: Wrong results
// expect: rejected
// layers: test differential

// row: wrong_border
// trick: Writes zeros to the border (catalogue 46)
// fault: the result alone is wrong
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  for (std::size_t z = 0; z < depth; ++z)
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t at = (z * height + y) * width + x;
        const bool inside = z > 0 && y > 0 && x > 0 && z + 1 < depth && y + 1 < height && x + 1 < width;
        out[at] = inside ? centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - height * width] + in[at + height * width]) : 0.0f;
      }
}

// row: wrong_constant_weights
// trick: The benchmark's weights are literals (catalogue 19)
// fault: the result alone is wrong
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = (z * height + y) * width + x;
        const float value = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - height * width] + in[at + height * width]);
        out[at] = depth > 16 ? value : value / 0.4f * centre + 0.0f * neighbour;
      }
}

// row: wrong_cube
// trick: Assumes a cube (catalogue 45)
// fault: the result alone is wrong
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = (z * height + y) * width + x;
        const float value = centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - width * width] + in[at + width * width]);
        out[at] = value;
      }
}
