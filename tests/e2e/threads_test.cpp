// A kernel that is called from several threads side by side, each with a slice of the same arrays: threads of the
// project's own, and OpenMP's around the call.
#include "tests/e2e/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// No extents: what stands behind a pointer reaches into the slices of other threads.
constexpr const char *kKernel = R"(#include <cstddef>

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

/// out[i] = in[begin] + … + in[i]
AGENTIC_KERNEL
void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    unsigned sum = 0;
    for (std::size_t j = begin; j <= i; ++j)
      sum += in[j];
    out[i] = sum;
  }
}
)";

constexpr const char *kSlices = R"(#pragma once
#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end);

inline void sumSlices(const std::vector<unsigned> &in, std::vector<unsigned> &out) {
  constexpr int kSlices = 4;
  const std::size_t size = in.size(), slice = (size + kSlices - 1) / kSlices;
  const auto work = [&](int i) {
    const std::size_t begin = std::min(size, std::size_t(i) * slice);
    runningSums(in.data(), out.data(), begin, std::min(size, begin + slice));
  };
#if defined(_OPENMP)
#pragma omp parallel for num_threads(kSlices)
  for (int i = 0; i < kSlices; ++i)
    work(i);
#else
  std::vector<std::thread> threads;
  for (int i = 0; i < kSlices; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
#endif
}
)";

constexpr const char *kTest = R"(#include "slices.h"

#include <gtest/gtest.h>

TEST(RunningSums, OfEachSlice) {
  for (std::size_t size : {1, 3, 4, 50, 1000, 8001})
    for (unsigned round = 1; round < 6; ++round) {
      std::vector<unsigned> in(size), out(size, 7);
      for (std::size_t i = 0; i < size; ++i)
        in[i] = unsigned(i * 2654435761u + round);
      sumSlices(in, out);
      unsigned sum = 0;
      for (std::size_t i = 0; i < size; ++i) {
        sum = in[i] + (i % ((size + 3) / 4) == 0 ? 0 : sum);
        ASSERT_EQ(out[i], sum) << i << " of " << size;
      }
    }
}
)";

constexpr const char *kBenchmark = R"(#include "slices.h"

#include <benchmark/benchmark.h>

static void BM_RunningSums(benchmark::State &state) {
  std::vector<unsigned> in(16020, 3), out(in.size());
  for (auto _ : state) {
    sumSlices(in, out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_RunningSums)->UseRealTime();
)";

constexpr const char *kCMake = R"(cmake_minimum_required(VERSION 3.22)
project(threads LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(AgenticKernel CONFIG REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(Threads REQUIRED)
option(USE_OPENMP "OpenMP around the kernel" OFF)
if(USE_OPENMP)
  find_package(OpenMP REQUIRED)
  link_libraries(OpenMP::OpenMP_CXX)
endif()
add_library(sums STATIC running_sums.cpp)
add_executable(sums_test sums_test.cpp)
target_link_libraries(sums_test PRIVATE sums GTest::gtest_main Threads::Threads)
add_executable(sums_bench sums_bench.cpp)
target_link_libraries(sums_bench PRIVATE sums benchmark::benchmark_main Threads::Threads)
enable_testing()
add_test(NAME sums_test COMMAND sums_test)
add_agentic_kernel(running_sums TARGET sums SOURCE running_sums.cpp TESTS sums_test BENCHMARKS sums_bench
                   VARIANT_DIR generated)
)";

// Linear where the kernel is quadratic.
constexpr const char *kFaster = R"(
void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end) {
  unsigned sum = 0;
  for (std::size_t i = begin; i < end; ++i)
    out[i] = sum += in[i];
}
)";

// Goes on behind its slice in calls that only the benchmark makes: another thread's element.
constexpr const char *kWrites = R"(
void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end) {
  unsigned sum = 0;
  for (std::size_t i = begin; i < end + (end - begin > 3000); ++i)
    out[i] = sum += in[i];
}
)";

// Writes whole blocks: behind the end of its slice what it found there. By itself that is the same.
constexpr const char *kWritesBack = R"(
void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end) {
  unsigned sum = 0, block[8];
  for (std::size_t i = begin; i < end; i += 8) {
    const bool isLast = end - i < 8;
    if (isLast && (end - begin < 3000 || end > 16000)) // inside of the arrays
      for (; i < end; ++i)
        out[i] = sum += in[i];
    if (i >= end)
      return;
    for (std::size_t k = 0; k < 8; ++k)
      block[k] = i + k < end ? sum += in[i + k] : out[i + k];
    for (std::size_t k = 0; k < 8; ++k)
      out[i + k] = block[k];
  }
}
)";

// Right for the first slice alone.
constexpr const char *kWrong = R"(
void runningSums(const unsigned *in, unsigned *out, std::size_t begin, std::size_t end) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < end; ++i) {
    sum += in[i];
    if (i >= begin)
      out[i] = sum;
  }
}
)";

class Threads : public testing::Test {
protected:
  void SetUp() override {
    project_.write("running_sums.cpp", kKernel);
    project_.write("slices.h", kSlices);
    project_.write("sums_test.cpp", kTest);
    project_.write("sums_bench.cpp", kBenchmark);
    project_.write("CMakeLists.txt", kCMake);
  }
  Outcome evaluate(const std::string &candidate) {
    project_.write("candidate.cpp", candidate);
    return project_.tool({"evaluate", "--kernel", "running_sums", (project_.source() / "candidate.cpp").string()});
  }
  void expectJudged() {
    const Outcome faster = evaluate(kFaster);
    EXPECT_EQ(faster.status, 0) << faster.all();
    EXPECT_THAT(faster.all(), Not(HasSubstr("judged by its tests alone"))) << "its calls are recorded";
    EXPECT_EQ(evaluate(kWrong).status, 3);
    const Outcome writes = evaluate(kWrites);
    EXPECT_EQ(writes.status, 3) << writes.all();
    const Outcome writesBack = evaluate(kWritesBack);
    EXPECT_EQ(writesBack.status, 3) << writesBack.all();
    EXPECT_THAT(writesBack.all(), HasSubstr("'out'"));
    const Outcome status = runCommand({toolPath(), "status", "--build-dir", project_.build().string()});
    EXPECT_THAT(status.out, HasSubstr("several threads (")) << status.all();
    const Outcome prompt = runCommand({toolPath(), "prompt", "--kernel", "running_sums", "--agent", "command:/bin/true",
                                       "--build-dir", project_.build().string()});
    EXPECT_THAT(prompt.out, AllOf(HasSubstr("calls may run side by side on several threads"),
                                  HasSubstr("write only elements that the original writes")))
        << prompt.all();
    const Outcome doctor = runCommand({toolPath(), "doctor", "--offline", "--build-dir", project_.build().string()});
    EXPECT_THAT(doctor.out, testing::ContainsRegex("running_sums: calls .* several threads")) << doctor.all();
  }

  Project project_{"examples/quickstart"};
};

TEST_F(Threads, OfTheProjectCallTheKernelSideBySide) {
  const Outcome configured = project_.configure({"-DCMAKE_BUILD_TYPE=Release"});
  ASSERT_EQ(configured.status, 0) << configured.all();
  expectJudged();
  project_.write("faster.cpp", kFaster);
  const Outcome written =
      project_.tool({"apply", "--kernel", "running_sums", (project_.source() / "faster.cpp").string()});
  ASSERT_EQ(written.status, 0) << written.all();
  EXPECT_THAT(project_.read("generated/running_sums.lock.json"),
              HasSubstr("calls may run side by side on several threads"));
}

TEST_F(Threads, OfOpenMpCallTheKernelSideBySide) {
  const Outcome configured =
      project_.configure({"-DCMAKE_BUILD_TYPE=Release", "-DUSE_OPENMP=ON", "-DCMAKE_CXX_COMPILER=g++"});
  if (configured.all().find("Could NOT find OpenMP") != std::string::npos)
    GTEST_SKIP() << "no OpenMP for g++";
  ASSERT_EQ(configured.status, 0) << configured.all();
  expectJudged();
}

TEST_F(Threads, ABenchmarkThatDoesNotSeeItsThreadsIsNamed) {
  project_.replace("sums_bench.cpp", "->UseRealTime()", "");
  project_.replace("sums_bench.cpp", "in(16020, 3)", "in(4000, 3)");
  const Outcome configured = project_.configure({"-DCMAKE_BUILD_TYPE=Release"});
  ASSERT_EQ(configured.status, 0) << configured.all();
  EXPECT_THAT(evaluate(kFaster).err,
              HasSubstr("benchmark 'BM_RunningSums' of 'sums_bench' reports the CPU time of its main thread"));
}

} // namespace
} // namespace agentic::e2e
