#include "black_scholes.h"
#include "black_scholes_bench_case.h"

namespace {

void BM_BlackScholes(benchmark::State &state) {
  auto &run = testing_support::caseFor<BlackScholesCase>(state);
  for (auto _ : state) {
    finance::callPrices(run.spot.data(), run.strike.data(), run.years.data(), run.price.data(), run.count,
                        BlackScholesCase::kRate, BlackScholesCase::kVolatility);
    benchmark::DoNotOptimize(run.price.data());
    benchmark::ClobberMemory();
  }
  run.report(state);
}
BENCHMARK(BM_BlackScholes)->Apply(blackScholesSizes);

} // namespace
