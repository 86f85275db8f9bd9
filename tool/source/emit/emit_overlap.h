// The dispatcher's check of its arguments: whether arguments that a variant takes for disjoint overlap.
#pragma once

#include "tool/model/kernel_spec.h"

#include <string>

namespace agentic {

/// Returns the function that overlapCondition() calls; empty if that is empty.
std::string emitOverlap(const KernelSpec &spec);

/// Returns an expression over the kernel's parameters, true if two overlap of which one is written; it checks only
/// pointers whose extents the contract declares. Empty: there are none.
std::string overlapCondition(const KernelSpec &spec);

} // namespace agentic
