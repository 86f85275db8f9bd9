// Expands the macros that a candidate defines, so that it is judged, read and shipped without them: models write small
// macros with arguments (`STEP(0, acc0)`), which hide nothing once they are expanded.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ExpandedMacros {
  std::string text;
  std::vector<std::string> names; ///< of the macros that are gone; empty: `text` is as it was
};

/// Expands all macros of the candidate and blanks their directives; lines keep their numbers. Only if one of them takes
/// arguments or is defined outside a function, since others are legal as they are; and all or none, so that nothing is
/// half expanded. None if a macro
/// - has a name that is reserved, a keyword or SOURCE's own, pastes or stringizes, or opens a bracket that it does not
/// close;
/// - is named in another directive (a condition, a pragma);
/// - is used where a conditional that `level` does not decide chooses between definitions: uses in the definition's own
///   branch are fine;
/// or if the result would exceed 20,000 tokens. `level` may be null: it decides nothing. `text` is LF. Pure; linear.
ExpandedMacros expandOwnMacros(const KernelSpec &spec, const Level *level, std::string_view text);

} // namespace agentic
