#include "tool/model/level.h"

#include <array>
#include <regex>

namespace agentic {
namespace {

constexpr std::string_view kX86 = "x86_64|AMD64", kX86Guard = "defined(__x86_64__)";
constexpr std::string_view kArm = "aarch64|arm64", kArmGuard = "defined(__aarch64__)";
constexpr std::string_view kRiscv = "riscv64", kRiscvGuard = "defined(__riscv) && __riscv_xlen == 64";

// Feature lists, not `arch=`: clang 14 and gcc 12 reject different `arch=` values but accept every name below.
#define AGENTIC_V2 "sse3,ssse3,sse4.1,sse4.2,popcnt"
#define AGENTIC_V3 AGENTIC_V2 ",avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define AGENTIC_V4 AGENTIC_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
#define AGENTIC_V4_VNNI                                                                                                \
  AGENTIC_V4 ",avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512bitalg,avx512vpopcntdq,avx512bf16"
#define AGENTIC_V2_MACROS "__SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__ __POPCNT__"
#define AGENTIC_V3_MACROS AGENTIC_V2_MACROS " __AVX__ __AVX2__ __BMI__ __BMI2__ __F16C__ __FMA__ __LZCNT__ __MOVBE__"
#define AGENTIC_V4_MACROS AGENTIC_V3_MACROS " __AVX512F__ __AVX512BW__ __AVX512CD__ __AVX512DQ__ __AVX512VL__"
#define AGENTIC_V4_VNNI_MACROS                                                                                         \
  AGENTIC_V4_MACROS " __AVX512IFMA__ __AVX512VBMI__ __AVX512VBMI2__ __AVX512VNNI__ __AVX512BITALG__ "                  \
                    "__AVX512VPOPCNTDQ__ __AVX512BF16__"
#define AGENTIC_ARM82_MACROS                                                                                           \
  "__ARM_NEON __ARM_FEATURE_DOTPROD __ARM_FEATURE_FP16_SCALAR_ARITHMETIC __ARM_FEATURE_FP16_VECTOR_ARITHMETIC"

constexpr std::array kLevels = {
    Level{"x86-64-v2", "x86_64_v2", 2, kX86, kX86Guard, AGENTIC_V2, AGENTIC_V2, AGENTIC_V2_MACROS},
    Level{"x86-64-v3", "x86_64_v3", 3, kX86, kX86Guard, AGENTIC_V3, AGENTIC_V3, AGENTIC_V3_MACROS},
    Level{"x86-64-v4", "x86_64_v4", 4, kX86, kX86Guard, AGENTIC_V4, AGENTIC_V4, AGENTIC_V4_MACROS},
    // The extensions that both Zen 4 and Sapphire Rapids add to v4; Ice Lake lacks bf16 and does not reach this level.
    Level{"x86-64-v4-vnni", "x86_64_v4_vnni", 5, kX86, kX86Guard, AGENTIC_V4_VNNI, AGENTIC_V4_VNNI,
          AGENTIC_V4_VNNI_MACROS, true},
    // The names of Linux's hwcaps. A row includes all rows below it.
    Level{"armv8-a", "armv8_a", 1, kArm, kArmGuard, "asimd", "arch=armv8-a", "__ARM_NEON"},
    Level{"armv8.2-a", "armv8_2_a", 2, kArm, kArmGuard, "asimd,asimddp,fphp,asimdhp", "arch=armv8.2-a+dotprod+fp16",
          AGENTIC_ARM82_MACROS},
    Level{"sve", "sve", 3, kArm, kArmGuard, "asimd,asimddp,fphp,asimdhp,sve", "arch=armv8.2-a+dotprod+fp16+sve",
          AGENTIC_ARM82_MACROS " __ARM_FEATURE_SVE"},
    Level{"sve2", "sve2", 4, kArm, kArmGuard, "asimd,asimddp,fphp,asimdhp,sve,sve2", "arch=armv8.2-a+dotprod+fp16+sve2",
          AGENTIC_ARM82_MACROS " __ARM_FEATURE_SVE __ARM_FEATURE_SVE2"},
    // Needs clang 18 or later; g++ 12 has neither this target nor the instructions.
    Level{"rv64gcv", "rv64gcv", 1, kRiscv, kRiscvGuard, "v", "arch=+v", "__riscv_vector __riscv_v"},
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

std::vector<const Level *> levelsOf(std::string_view processor) {
  std::vector<const Level *> found;
  for (const Level &level : kLevels)
    if (std::regex_match(processor.begin(), processor.end(), std::regex(std::string(level.processor))))
      found.push_back(&level);
  return found;
}

} // namespace agentic
