// expect: valid
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
