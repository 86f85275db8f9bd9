#include "ast-checks/includes.h"

#include "ast-checks/context.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
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

void Includes::text(Context &context) {
  if (!context.isCandidate())
    return;
  for (const Directive &directive : context.lexemes().directives)
    if (directive.name == "include" && std::ranges::find(kHeaders, directive.argumentText) == kHeaders.end())
      context.reportAt(*this, directive.offset,
                       "header " + directive.argumentText +
                           " is not allowed; allowed are <cstddef>, <cstdint>, <cstring>, <cmath>, <algorithm>, "
                           "<numeric>, <array>, <bit>, <limits>, <type_traits>, <utility>, <span>, <cassert> and the "
                           "intrinsics' headers (headers of the kernel's own file are there already)");
}

} // namespace agentic::checks
