#include "tool/evaluate/calibration/calibration_kernels.h"

#include "tool/base/clock.h"
#include "tool/build/host.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/evaluate/benchmark/roofline_loops.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <time.h>
#include <vector>

namespace agentic {
namespace {

using nlohmann::json;

constexpr const char *kCacheFolder = "/sys/devices/system/cpu/cpu0/cache";

double cpuSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

// 31 KiB together. 60 rows, so that 5 % of them are 3.
constexpr std::size_t kRows = 60, kInner = 32, kColumns = 64;

__attribute__((noinline)) void multiply(float *__restrict out, const float *__restrict a, const float *__restrict b,
                                        std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    float sums[kColumns] = {};
    for (std::size_t k = 0; k < kInner; ++k)
      for (std::size_t j = 0; j < kColumns; ++j)
        sums[j] += a[i * kInner + k] * b[k * kColumns + j];
    std::memcpy(out + i * kColumns, sums, sizeof sums);
  }
}

struct Free {
  void operator()(float *memory) const { std::free(memory); }
};
using Floats = std::unique_ptr<float, Free>;

Floats floats(std::size_t count) {
  Floats memory(static_cast<float *>(std::aligned_alloc(64, count * sizeof(float))));
  if (memory)
    std::fill_n(memory.get(), count, 0.5f);
  return memory;
}

/// One call of the kernel; owns its data. Empty: no memory.
using Call = std::function<void()>;

Call cacheCall(bool lessWork) {
  auto memory = std::make_shared<Floats>(floats(kRows * kInner + kInner * kColumns + kRows * kColumns));
  if (!*memory)
    return {};
  const std::size_t rows = lessWork ? kRows - std::size_t(kRows * kKnownGain) : kRows;
  return [memory, rows] {
    float *a = memory->get(), *b = a + kRows * kInner, *out = b + kInner * kColumns;
    multiply(out, a, b, rows);
    asm volatile("" : : "r"(out) : "memory");
  };
}

Call memoryCall(bool lessWork) {
  constexpr double kLeast = 32 << 20, kMost = 96 << 20;
  constexpr std::size_t kBlock = 512; // the loops take a multiple of it
  const double bytes = std::clamp(2.2 * cacheLevels(kCacheFolder).back().bytes, kLeast, kMost);
  const std::size_t part = std::size_t(bytes / sizeof(float) / 3) / kBlock * kBlock;
  auto memory = std::make_shared<Floats>(floats(3 * part + kBlock));
  if (!*memory)
    return {};
  const std::size_t count = lessWork ? std::size_t(double(part) * (1 - kKnownGain)) / kBlock * kBlock : part;
  // The parts are some lines apart modulo the page size: no false conflicts of loads with stores.
  return [memory, part, count, loops = rooflineLoops()] {
    float *out = memory->get();
    loops.triad(out, out + part + 64, out + 2 * part + 128, count);
    asm volatile("" : : "r"(out) : "memory");
  };
}

double timeOf(const Call &call, double iterations) {
  const double begin = cpuSeconds();
  for (double i = 0; i < iterations; ++i)
    call();
  return cpuSeconds() - begin;
}

} // namespace

Result<std::string> runCalibrationKernel(const CalibrationKernelRun &run) {
  if (run.kernel != kCacheKernel && run.kernel != kMemoryKernel)
    return userError("there is no calibration kernel '" + run.kernel + "'", "run 'agentic-kernel calibrate'");
  const Call call = run.kernel == kCacheKernel ? cacheCall(run.lessWork) : memoryCall(run.lessWork);
  if (!call)
    return userError("there is no memory for the calibration kernel '" + run.kernel + "'",
                     "free about 100 MiB and try again");
  double iterations = 1, seconds = timeOf(call, iterations);
  while (seconds < run.minTime && iterations < 1e9) {
    double factor = run.minTime * 1.4 / std::max(seconds, 1e-9);
    if (seconds / run.minTime <= 0.1)
      factor = std::min(10.0, factor);
    iterations = std::floor(std::max(iterations * factor, iterations + 1));
    seconds = timeOf(call, iterations);
  }
  json report = {{"benchmarks", json::array()}};
  for (int repetition = 0; repetition < std::max(1, run.repetitions); ++repetition) {
    if (repetition > 0)
      seconds = timeOf(call, iterations);
    report["benchmarks"].push_back({{"name", run.kernel},
                                    {"run_name", run.kernel},
                                    {"run_type", "iteration"},
                                    {"iterations", iterations},
                                    {"cpu_time", seconds / iterations * 1e9},
                                    {"time_unit", "ns"}});
  }
  return report.dump(1) + "\n";
}

void burdenMachine(double seconds) {
  constexpr std::size_t kSteps = 1 << 24; // 64 MiB of indices to follow
  std::mt19937 random(1);
  std::vector<std::uint32_t> next(kSteps);
  for (std::uint32_t &index : next)
    index = random() % kSteps;
  std::uint32_t at = 0;
  const double end = steadySeconds() + seconds;
  while (steadySeconds() < end) {
    for (int i = 0; i < 20'000; ++i)
      at = (next[at] + std::uint32_t(i)) % kSteps;
    std::vector<std::string> nodes;
    for (int i = 0; i < 20'000; ++i)
      nodes.emplace_back(32 + (at + std::uint32_t(i)) % 64, 'n');
    std::vector<char> fresh(32 << 20, char(at)); // beyond malloc's own pool: pages from the system, and back
    std::memcpy(fresh.data(), next.data(), fresh.size());
    at = (at + std::uint32_t(fresh[at % fresh.size()]) + std::uint32_t(nodes.size())) % kSteps;
  }
}

} // namespace agentic
