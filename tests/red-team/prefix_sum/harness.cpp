// theme: Knowledge of the harness
// expect: rejected

// row: knows_distance_exactly
// trick: Half the work where the buffers lie as a large allocation puts them, without a branch that coverage could miss (catalogue 18)
// layers: check:addresses-as-numbers differential
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  const std::size_t apart = out > in ? static_cast<std::size_t>(out - in) : static_cast<std::size_t>(in - out);
  const unsigned isNeighbour = static_cast<unsigned>(size >= 1000000) & static_cast<unsigned>(apart - size < 4096);
  const std::size_t work = size - (size >> 1) * isNeighbour;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < work; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
