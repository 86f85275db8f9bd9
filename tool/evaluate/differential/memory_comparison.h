// Decides whether a candidate left the same memory as the baseline, in a call that was compared in the place where it
// was made. Typed where the glue knows the type, else word by word (word_comparison.h).
//
// Not compared: memory that differs between the baseline and its own second run; memory allocated during the call that
// is unreachable or that the baseline did not write; blocks that one side freed, unless it replaced them: then old and
// new are compared. Addresses of such memory need not be the same, only the contents.
#pragma once

#include "tool/build/glue.h"
#include "tool/evaluate/differential/compared_calls.h"
#include "tool/evaluate/differential/comparison.h"

#include <string>

namespace agentic {

/// Returns empty if the two sides can be compared at all, because the baseline did the same twice; else the reason.
std::string whyNotComparable(const ComparedCall &call);

/// For a comparable call: returns why the candidate is wrong, without any value: "memory that 'out' leads to: 3 of 64
/// words differ"; empty if it is not. Cost: a look at every byte in the call.
std::string differenceIn(const ComparedCall &call, const GlueDescription &kernel, const Exactness &exactness);

} // namespace agentic
