// Compares calls that cannot be captured, in the place where they are made: at a sampled call the program forks, the
// candidate does the call in one fork and the baseline in another, the program goes on with the baseline, and all three
// outcomes go to the record file (wire_comparison.h), for the tool to judge.
//
// Cost for a sampled call: two forks, the candidate's and twice the baseline's own time, some 10 ms and 1 ms per MB of
// reachable memory. The candidate's shared object is loaded in the fork only, so the program itself is never touched by
// it.
#pragma once

#include "tool/runner/recorder_file.h"
#include "tool/runner/recorder_regions.h"

namespace agentic::recorder {

/// Number of first calls that are compared whatever their shape: members of classes are unknown, so shapes say little.
inline constexpr unsigned kComparedFirst = 8;

/// Does the call and writes its outcomes. Returns false if no further call is to be compared, because the candidate did
/// not end like the baseline, or because the file is full. Exceptions of the baseline pass through. errno is the
/// call's.
bool compareCall(RecordFile &file, const char *candidate, const PendingCall &call);

} // namespace agentic::recorder
