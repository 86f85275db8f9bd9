#include "tool/model/level.h"

#include <array>

namespace agentic {
namespace {

// Feature lists, not `arch=`: clang 14 and gcc 12 reject different `arch=` values but accept every name below.
constexpr std::string_view kX86 = "x86_64|AMD64";
constexpr std::string_view kX86Guard = "defined(__x86_64__)";

constexpr std::array kLevels = {
    Level{"x86-64-v2", "x86_64_v2", 2, kX86, kX86Guard, "sse3,ssse3,sse4.1,sse4.2,popcnt",
          "__SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__ __POPCNT__"},
    Level{"x86-64-v3", "x86_64_v3", 3, kX86, kX86Guard,
          "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe",
          "__SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__ __POPCNT__ __AVX__ __AVX2__ __BMI__ __BMI2__ "
          "__F16C__ __FMA__ __LZCNT__ __MOVBE__"},
    Level{"x86-64-v4", "x86_64_v4", 4, kX86, kX86Guard,
          "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,avx512f,avx512bw,avx512cd,avx512dq,"
          "avx512vl",
          "__SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__ __POPCNT__ __AVX__ __AVX2__ __BMI__ __BMI2__ "
          "__F16C__ __FMA__ __LZCNT__ __MOVBE__ __AVX512F__ __AVX512BW__ __AVX512CD__ __AVX512DQ__ __AVX512VL__"},
};

} // namespace

std::span<const Level> levels() {
  return kLevels;
}

const Level *findLevel(std::string_view name) {
  for (const Level &level : kLevels)
    if (level.name == name)
      return &level;
  return nullptr;
}

std::vector<std::string> levelNames() {
  std::vector<std::string> names;
  for (const Level &level : kLevels)
    names.emplace_back(level.name);
  return names;
}

} // namespace agentic
