#include "tool/model/allowed_headers.h"

#include <algorithm>
#include <array>

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

} // namespace

bool isAllowedHeader(std::string_view header) {
  return std::ranges::find(kHeaders, header) != kHeaders.end();
}

std::span<const std::string_view> allowedHeaders() {
  return kHeaders;
}

bool isAllowedHeader(std::string_view header, const Policy &policy) {
  return !isListed(policy.forbid.headers, header) &&
         (isAllowedHeader(header) || isListed(policy.allow.headers, header));
}

} // namespace agentic
