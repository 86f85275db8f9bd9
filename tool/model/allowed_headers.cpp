#include "tool/model/allowed_headers.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace agentic {
namespace {

constexpr auto kHeaders = std::to_array<std::string_view>(
    {"<cstddef>",          "<cstdint>",       "<cstring>",     "<cmath>",       "<cfloat>",      "<climits>",
     "<algorithm>",        "<numeric>",       "<array>",       "<bit>",         "<limits>",      "<type_traits>",
     "<utility>",          "<span>",          "<cassert>",     "<functional>",  "<iterator>",    "<tuple>",
     "<initializer_list>", "<concepts>",      "<stddef.h>",    "<stdint.h>",    "<string.h>",    "<math.h>",
     "<float.h>",          "<limits.h>",      "<assert.h>",    "<immintrin.h>", "<x86intrin.h>", "<mmintrin.h>",
     "<xmmintrin.h>",      "<emmintrin.h>",   "<pmmintrin.h>", "<tmmintrin.h>", "<smmintrin.h>", "<nmmintrin.h>",
     "<ammintrin.h>",      "<wmmintrin.h>",   "<arm_neon.h>",  "<arm_sve.h>",   "<arm_fp16.h>",  "<arm_bf16.h>",
     "<arm_acle.h>",       "<riscv_vector.h>"});

// C's own spelling of what C++ has as words.
constexpr auto kHeadersOfC = std::to_array<std::string_view>({"<stdbool.h>", "<stdalign.h>"});

bool isOfC(std::string_view header) {
  return header.ends_with(".h>");
}

std::vector<std::string_view> headersOfC() {
  std::vector<std::string_view> result;
  std::ranges::copy_if(kHeaders, std::back_inserter(result), isOfC);
  result.insert(result.begin(), kHeadersOfC.begin(), kHeadersOfC.end());
  return result;
}

} // namespace

bool isAllowedHeader(std::string_view header) {
  return std::ranges::find(kHeaders, header) != kHeaders.end() ||
         std::ranges::find(kHeadersOfC, header) != kHeadersOfC.end();
}

std::span<const std::string_view> allowedHeaders(Language language) {
  static const std::vector<std::string_view> kOfC = headersOfC();
  return language == Language::C ? std::span<const std::string_view>(kOfC) : std::span(kHeaders);
}

bool isAllowedHeader(std::string_view header, const Policy &policy) {
  return !isListed(policy.forbid.headers, header) &&
         (isAllowedHeader(header) || isListed(policy.allow.headers, header));
}

bool isAllowedHeader(std::string_view header, const Policy &policy, Language language) {
  if (language == Language::Cxx)
    return isAllowedHeader(header, policy);
  return !isListed(policy.forbid.headers, header) &&
         (std::ranges::count(allowedHeaders(language), header) > 0 || isListed(policy.allow.headers, header));
}

} // namespace agentic
