// Calls that cannot be captured are compared where they are made: at a sampled call the program forks, the candidate
// does the call in one fork and the baseline in another, the program goes on with the baseline, and what all three left
// goes to the record file (wire_comparison.h), for the tool to judge.
//
// Cost per sampled call: two forks, the candidate's and twice the baseline's own time, some 10 ms and 1 ms per MB of
// memory that can be reached. The candidate runs after its own shared object was loaded in the fork, so the program
// itself is never touched by it.
#pragma once

#include "tool/runner/recorder_file.h"
#include "tool/runner/recorder_regions.h"

namespace agentic::recorder {

/// Calls that are compared whatever their shape: the members of classes are not known, so shapes say little.
inline constexpr unsigned kComparedFirst = 8;

/// Does the call and writes what came of it. False: no further call is to be compared, because the candidate did not
/// end like the baseline, or because the file is full. Exceptions of the baseline pass through. errno is the call's.
bool compareCall(RecordFile &file, const char *candidate, const PendingCall &call);

} // namespace agentic::recorder
