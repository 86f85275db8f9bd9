// Branch-free replacements for library functions on float, for inline-math. Masks choose, and no `?:`: every call runs
// all of a replacement, so that confirmation finds no alternative that a kernel's arguments never reach.
#pragma once

#include <span>
#include <string_view>

namespace agentic::moves {

struct MathFunction {
  std::string_view name;       ///< "exp", which is called as std::exp, expf and so on; the replacement is "expApprox"
  std::string_view definition; ///< '@' is replaced by the name
  double errorInUlp = 0;       ///< largest error over all floats, with and without fused operations

  /// Returns whether a callee of this name, as written or as declared, is the function.
  bool isSpelling(std::string_view callee) const;
};

/// Returns the table; tests measure the error of each function.
std::span<const MathFunction> mathFunctions();

} // namespace agentic::moves
