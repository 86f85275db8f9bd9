#include "tests/cost/many_kernels.h"

#include "tests/source/emit_fixture.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/manifests.h"
#include "tool/evaluate/baseline/current_spec.h"

#include <fmt/format.h>

namespace agentic::cost {
namespace {

constexpr const char *kHeader = R"(#pragma once
#include <cstddef>
inline constexpr std::size_t kTile@N@ = 16;
void sums_@N@(const float *matrix, float *sums, std::size_t rows, std::size_t columns);
)";

constexpr const char *kSource = R"(#include "sums_@N@.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

/// sums[c] = sum of column c of a row-major matrix, and @N@.
AGENTIC_KERNEL
void sums_@N@(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) {
    float sum = @N@.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sum += matrix[r * columns + c];
    sums[c] = sum;
  }
}
)";

constexpr const char *kVariant = R"(#include "sums_@N@.h"
extern "C" void SYMBOL(const float *matrix, float *sums, std::size_t rows, std::size_t columns) {
  std::size_t c = 0;
  for (; c + kTile@N@ <= columns; c += kTile@N@) {
    float sum[kTile@N@];
    for (std::size_t i = 0; i < kTile@N@; ++i)
      sum[i] = @N@.0f;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < kTile@N@; ++i)
        sum[i] += matrix[r * columns + c + i];
    for (std::size_t i = 0; i < kTile@N@; ++i)
      sums[c + i] = sum[i];
  }
  for (; c < columns; ++c) {
    sums[c] = @N@.0f;
    for (std::size_t r = 0; r < rows; ++r)
      sums[c] += matrix[r * columns + c];
  }
}
)";

constexpr const char *kLists = R"lists(cmake_minimum_required(VERSION 3.22)
project(many LANGUAGES CXX)
option(WITH_KERNELS "Call add_agentic_kernel()" ON)
set(CMAKE_CXX_STANDARD 17)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/sums_*.cpp)
add_library(many STATIC ${sources})
enable_testing()
add_executable(many_test many_test.cpp)
target_link_libraries(many_test PRIVATE many GTest::gtest_main)
add_test(NAME many_test COMMAND many_test)
add_executable(many_bench many_bench.cpp)
target_link_libraries(many_bench PRIVATE many benchmark::benchmark_main)
if(WITH_KERNELS)
  find_package(AgenticKernel CONFIG REQUIRED)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    add_agentic_kernel(${name} TARGET many SOURCE ${source} TESTS many_test BENCHMARKS many_bench)
  endforeach()
endif()
)lists";

std::string numbered(const char *text, int number) {
  return replaceAll(text, "@N@", fmt::format("{}", 1000 + number)); // no leading zero: it is a number in the text, too
}

std::string programs(int count, const char *before, const char *each, const char *after) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += numbered("#include \"sums_@N@.h\"\n", i);
  text += before;
  for (int i = 0; i < count; ++i)
    text += numbered(each, i);
  return text + after;
}

} // namespace

Result<void> writeSources(const ManyKernels &project) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"CMakeLists.txt", kLists},
      {"many_test.cpp", programs(project.count,
                                 "#include <gtest/gtest.h>\nTEST(Many, AddsUpEveryColumn) {\n"
                                 "  const float matrix[40] = {1, 2};\n  float sums[20];\n",
                                 "  sums_@N@(matrix, sums, 2, 20);\n  EXPECT_EQ(sums[1], @N@.0f + 2);\n", "}\n")},
      {"many_bench.cpp", programs(project.count,
                                  "#include <benchmark/benchmark.h>\nstatic void BM_Many(benchmark::State &state) {\n"
                                  "  static float matrix[40], sums[20];\n  for (auto _ : state) {\n",
                                  "    sums_@N@(matrix, sums, 2, 20);\n",
                                  "    benchmark::DoNotOptimize(sums);\n  }\n}\nBENCHMARK(BM_Many);\n")}};
  for (int i = 0; i < project.count; ++i) {
    files.emplace_back(numbered("sums_@N@.h", i), numbered(kHeader, i));
    files.emplace_back(numbered("sums_@N@.cpp", i), numbered(kSource, i));
  }
  for (const auto &[name, text] : files)
    if (auto done = writeFileAtomic(project.source() / name, text); !done)
      return done;
  return {};
}

Result<void> writeVariants(const ManyKernels &project, const std::string &buildDir) {
  auto manifests = loadManifests(buildDir);
  if (!manifests)
    return std::unexpected(manifests.error());
  for (int i = 0; i < project.count; ++i) {
    const Manifest &manifest = manifests->at(static_cast<std::size_t>(i));
    auto spec = currentSpec(manifest);
    if (!spec)
      return std::unexpected(spec.error());
    std::vector<VariantSource> variants;
    for (const char *family : {"clang", "gcc"})
      variants.push_back(test::makeVariant(*spec, "x86-64-v2", family, numbered(kVariant, i)));
    auto files = emitFiles(*spec, variants, "0.1.0");
    if (!files)
      return std::unexpected(files.error());
    for (const GeneratedFile &file : *files)
      if (auto done = writeFileAtomic(fs::path(manifest.variantDir) / file.name, file.text); !done)
        return done;
  }
  return {};
}

} // namespace agentic::cost
