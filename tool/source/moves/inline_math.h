// Branch-free replacements for library functions on float, for inline-math. Masks choose, and no `?:`: every call runs all
// of a replacement, so that confirmation finds no alternative that a kernel's arguments never reach.
#pragma once

#include <span>
#include <string_view>

namespace agentic::moves {

struct MathFunction {
  std::span<const std::string_view> names; ///< as called, and as the callee is named; the usual one first
  std::string_view replacement;            ///< its usual name: "expApprox"
  std::string_view definition;             ///< '@' is replaced by the name
  double errorInUlp = 0;                   ///< largest error over all floats, with and without fused operations
  std::string_view errorText;              ///< errorInUlp as text: "1.1"
};

/// Returns the table; tests measure the error of each function.
std::span<const MathFunction> mathFunctions();

} // namespace agentic::moves
