// What a dispatcher asks about its arguments: whether those that a variant takes for disjoint overlap.
#pragma once

#include "tool/model/kernel_spec.h"

#include <string>

namespace agentic {

/// The function that overlapCondition() calls; empty if that is.
std::string emitOverlap(const KernelSpec &spec);

/// An expression over the kernel's parameters, true if two overlap of which one is written; only pointers whose extents
/// the contract declares are asked. Empty: there are none.
std::string overlapCondition(const KernelSpec &spec);

} // namespace agentic
