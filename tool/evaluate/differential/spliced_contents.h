// Copies short recorded inputs into a long one, at the borders of blocks. A project's tests have its hardest inputs in
// short arrays (a sequence that is cut off, say), which never reach the loop over blocks.
#pragma once

#include "tool/evaluate/differential/other_contents.h"

#include <cstddef>
#include <random>
#include <vector>

namespace agentic {

/// Returns at most `most` contents for the arrays of bytes that `call` reads: one of the shorter inputs that `recorded`
/// calls have for the same argument, before, behind or across a border; the rest as recorded, or nothing but the most
/// frequent byte.
std::vector<OtherContents> splicedContents(const RecordedCall &call, const GlueDescription &kernel,
                                           const std::vector<const RecordedCall *> &recorded, std::size_t most,
                                           std::mt19937_64 &random);

} // namespace agentic
