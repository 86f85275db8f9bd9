// Whether a candidate left what the baseline left, in a call that was compared where it was made. Typed where the
// glue knows the type, else word by word (word_comparison.h).
//
// Not compared: what differs between the baseline and its own second run; memory allocated during the call to which
// nothing leads, and what the baseline did not write there; blocks that one side freed, unless it replaced them: then
// old and new are compared. Addresses of such memory need not be the same, only what stands there.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/compared_calls.h"
#include "tool/evaluate/differential/comparison.h"

#include <string>

namespace agentic {

/// Whether the two sides can be held against each other at all, because the baseline twice did the same. If not, why.
std::string whyNotComparable(const ComparedCall &call);

/// Of a call that is comparable. Why the candidate is wrong, without any value: "memory that 'out' leads to: 3 of 64
/// words differ"; empty if it is not. Cost: a look at every byte in the call.
std::string differenceIn(const ComparedCall &call, const GlueDescription &kernel, const Exactness &exactness);

} // namespace agentic
