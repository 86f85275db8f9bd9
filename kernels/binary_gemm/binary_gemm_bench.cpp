#include "binary_gemm.h"

#include <benchmark/benchmark.h>
#include <random>
#include <vector>

namespace {

void BM_BinaryGemm(benchmark::State &state) {
  const auto M = static_cast<std::size_t>(state.range(0)), K = static_cast<std::size_t>(state.range(1));
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> value(-5.0f, 5.0f);
  std::vector<float> A(M * K), C(M * K);
  std::vector<std::uint32_t> B(K * (K / 32));
  for (float &a : A)
    a = value(engine);
  for (std::uint32_t &word : B)
    word = static_cast<std::uint32_t>(engine());

  for (auto _ : state) {
    bmm::matmul(A.data(), B.data(), C.data(), M, K);
    benchmark::DoNotOptimize(C.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(M * K * K));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>((A.size() + B.size() + C.size()) * 4));
}
BENCHMARK(BM_BinaryGemm)->Args({32, 3072})->ArgNames({"M", "K"})->Unit(benchmark::kMillisecond);

} // namespace
