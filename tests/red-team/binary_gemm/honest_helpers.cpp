// expect: valid
// style: Helper functions, a helper type and a template
namespace {
struct Block {
  float sums[32];
};
} // namespace

static inline float signedValue(std::uint32_t bit, float value) { return bit ? value : -value; }

template <unsigned Bits> void add(Block &block, std::uint32_t word, float a) {
  for (unsigned bit = 0; bit < Bits; ++bit)
    block.sums[bit] += signedValue((word >> bit) & 1u, a);
}

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      Block block = {};
      for (std::size_t p = 0; p < K; ++p)
        add<32>(block, B[p * (K / 32) + j / 32], A[i * K + p]);
      const auto store = [&](unsigned bit) { C[i * K + j + bit] = block.sums[bit]; };
      for (unsigned bit = 0; bit < 32; ++bit)
        store(bit);
    }
  }
}
