// The compile-time checks of a dispatch block before it uses variants (staleness level 2 of design §6): macros, layouts
// and constants must be as they were when the variants were made.
#pragma once

#include "tool/model/kernel_spec.h"
#include "tool/model/level.h"

#include <string>

namespace agentic {

/// Returns the preprocessor condition for compiling a variant's text: its processor, and at least the C++ of SOURCE.
std::string variantCondition(const KernelSpec &spec, const Level &level);

/// Returns text for the kernel's place that defines `constexpr bool agentic_kernel_fresh_<kernel>`: all of spec.guards
/// hold. The first that does not is a compiler's warning (never an error, whatever -Werror says) with the reason and
/// the next step; with AGENTIC_KERNEL_REQUIRE_<kernel> defined, every one is an error. In C the name is an
/// enumerator's, and `agentic_kernel_explain_<kernel>()`, which does nothing, must be called somewhere for the warning.
std::string emitGuards(const KernelSpec &spec);

} // namespace agentic
