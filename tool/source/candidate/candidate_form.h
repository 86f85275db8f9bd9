// Repairs the form of a candidate: what people and models write around a right kernel, and what means nothing to the
// compiler or can have one meaning only. What could hide something stays as it is, and the checks find it.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"
#include "tool/source/parse/lexed_text.h"

#include <string>
#include <vector>

namespace agentic {

struct CandidateForm {
  std::string text;                 ///< LF; every line is where it was
  std::vector<std::string> repairs; ///< "'#pragma once' is left out"; each once
};

/// Leaves out a byte order mark, `#pragma once`, an include guard around the whole, a code fence's first and last line
/// with prose around them, `target` attributes,
/// and the include of a header of SOURCE under another path; form feeds become blanks, and characters in comments that
/// are not ASCII become ASCII; macros of its own that a candidate may not have are expanded (own_macros.h). Lines that
/// the kernel itself has stay. Pure; < 1 ms.
CandidateForm repairForm(const KernelSpec &spec, const Level *level, std::string text);

/// Returns the standard and intrinsics' headers that declare names which the candidate uses and neither includes nor
/// the kernel's own text has: {"<bit>"}.
std::vector<std::string> missingHeaders(const KernelSpec &spec, const LexedText &lexed);

} // namespace agentic
