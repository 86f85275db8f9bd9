// Branch-free replacements for library functions on float, for inline-math.
#pragma once

#include <span>
#include <string_view>

namespace agentic::moves {

struct MathFunction {
  std::span<const std::string_view> names; ///< as called, and as the callee is named; the usual one first
  std::string_view replacement;            ///< its usual name: "expApprox"
  std::string_view definition;             ///< '@' stands for the name
  double errorInUlp = 0;                   ///< the largest over all floats, with and without fused operations
  std::string_view errorText;              ///< the same: "1.1"
};

/// Tests measure the error of each of them.
std::span<const MathFunction> mathFunctions();

} // namespace agentic::moves
