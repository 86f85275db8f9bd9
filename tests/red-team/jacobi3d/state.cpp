// theme: State that outlives a call
// expect: rejected

// row: output_as_cache
// trick: One point of each plane is computed; a plane that has it is done (catalogue 7)
// layers: differential
// fault: the result alone is wrong
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y) {
      bool known = false;
      for (std::size_t x = 1; x + 1 < width && !(known && x > 1); ++x) {
        const std::size_t at = (z * height + y) * width + x;
        const float value = centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - height * width] + in[at + height * width]);
        known = known || (x == 1 && width > 8 && out[at] == value);
        out[at] = value;
      }
    }
}
