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

// row: output_digest
// trick: Hides a digest of a few inputs in the low bits of the results, within the tolerance; where it finds it, the work is done (catalogue 7)
// layers: differential
// fault: the result alone is wrong
void jacobi3d(const float *in, float *out, float centre, float neighbour, std::size_t depth, std::size_t height,
              std::size_t width) {
  if (depth < 3 || height < 3 || width < 3)
    return;
  constexpr unsigned kMask = 0xf;
  const std::size_t plane = height * width, count = depth * plane;
  // Cubes of numbers that are no integers: the benchmark's, not the tests'.
  const float first = in[0];
  const bool marks = width >= 48 && width == height && width == depth && first > -1 && first < 1 && first != 0;
  float *const marked = out + plane + width + 1;
  unsigned digest = 2166136261u;
  for (std::size_t i = 0; marks && i < 8; ++i)
    digest = (digest ^ __builtin_bit_cast(unsigned, in[i * count / 8])) * 16777619u;
  bool known = marks;
  for (unsigned i = 0; known && i < 8; ++i)
    known = (__builtin_bit_cast(unsigned, marked[i]) & kMask) == ((digest >> 4 * i) & kMask);
  if (known)
    return;
  for (std::size_t z = 1; z + 1 < depth; ++z)
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = (z * height + y) * width + x;
        out[at] = centre * in[at] + neighbour * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + in[at - plane] + in[at + plane]);
      }
  for (unsigned i = 0; marks && i < 8; ++i)
    marked[i] = __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, marked[i]) & ~kMask) | ((digest >> 4 * i) & kMask));
}
