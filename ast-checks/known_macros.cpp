#include "ast-checks/known_macros.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

constexpr auto kFeaturePrefixes = std::to_array<std::string_view>(
    {"__AVX",      "__SSE",          "__SSSE3__", "__FMA",      "__F16C__", "__BMI",
     "__LZCNT__",  "__POPCNT__",     "__MOVBE__", "__ADX__",    "__AES__",  "__VAES__",
     "__PCLMUL__", "__VPCLMULQDQ__", "__GFNI__",  "__SHA",      "__AMX",    "__EVEX",
     "__ARM_NEON", "__ARM_FEATURE_", "__riscv",   "__x86_64__", "__i386__", "__aarch64__"});

constexpr auto kConstantPrefixes = std::to_array<std::string_view>(
    {"__SIZEOF_", "__FLT", "__DBL_", "__LDBL_", "__ORDER_", "__INT", "__UINT", "__PTRDIFF_", "__SIZE_", "__SCHAR_",
     "__SHRT_", "__LONG_", "__WCHAR_", "__ATOMIC_"});
constexpr auto kConstants = std::to_array<std::string_view>({"__CHAR_BIT__", "__BYTE_ORDER__", "__cplusplus"});
/// Of those, what one compiler lacks or defines as something else: it would tell which one compiles.
constexpr auto kCompilersOwn = std::to_array<std::string_view>(
    {"_FAST",        "_FMT",      "_HLE_",          "_LEAST",      "_NORM_MAX",       "_C_SUFFIX",
     "8_C",          "16_C",      "32_C",           "64_C",        "MAX_C",           "60559",
     "__FLT16",      "__FLT32",   "__FLT64",        "__FLT128",    "__FLT_EVAL",      "FLOAT80",
     "FLOAT128",     "WCHAR_MIN", "WCHAR_UNSIGNED", "SCHAR_WIDTH", "LONG_LONG_WIDTH", "PTR_WIDTH",
     "UINTMAX_WIDTH"});

constexpr auto kModePrefixes =
    std::to_array<std::string_view>({"_GLIBCXX", "__GLIBC", "_LIBCPP", "_FORTIFY", "__SANITIZE", "__has_"});
constexpr auto kModes = std::to_array<std::string_view>({"NDEBUG", "DEBUG", "_DEBUG", "_REENTRANT", "_GNU_SOURCE"});

constexpr auto kPlaces = std::to_array<std::string_view>(
    {"__FILE__", "__FILE_NAME__", "__BASE_FILE__", "__LINE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__TIME__",
     "__DATE__", "__TIMESTAMP__", "__has_include", "__has_include_next", "__has_embed"});

template <std::size_t N> bool isAmong(const std::array<std::string_view, N> &names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <std::size_t N> bool hasPrefix(const std::array<std::string_view, N> &prefixes, std::string_view name) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace

bool isFeatureMacro(std::string_view name) {
  return hasPrefix(kFeaturePrefixes, name);
}

bool isTargetConstant(std::string_view name) {
  const bool isOwn =
      std::ranges::any_of(kCompilersOwn, [&](std::string_view part) { return name.find(part) != name.npos; });
  return isAmong(kConstants, name) || (hasPrefix(kConstantPrefixes, name) && !isOwn);
}

bool isBuildModeMacro(std::string_view name) {
  return isAmong(kModes, name) || hasPrefix(kModePrefixes, name);
}

bool isPlaceMacro(std::string_view name) {
  return isAmong(kPlaces, name);
}

} // namespace agentic::checks
