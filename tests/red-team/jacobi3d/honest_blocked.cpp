// expect: valid
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
