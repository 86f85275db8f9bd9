// Audits calls of a program that runs with a candidate, as it does when it is timed: the candidate finds in the
// program's buffers what it left there itself. At a chosen call the program forks before the call; the fork compares
// candidate and baseline on that very memory (recorder_compare.h), and a second one does so after some input elements
// have changed. At the first of them, two more do so after pieces, and after all, of what the call only writes was
// overwritten (recorder_outputs.h). The program itself is left as it was and goes on with the candidate.
//
// Without these changes, a candidate that recognises its own results and skips the work would be right. What a call
// writes is found by the unchanged kernel, so that nothing has to be declared.
#pragma once

#include "tool/runner/recorder_file.h"
#include "tool/runner/recorder_regions.h"

#include <cstdint>

namespace agentic::recorder {

/// Chooses calls by numbers that nothing in the program can foretell: an early one, then ever fewer, so that few
/// suffice for millions of calls.
class AuditChooser {
public:
  static constexpr unsigned kMost = 12;

  /// Counts a call and returns whether to audit it. Not for several threads at once.
  bool wants();
  bool isFull() const { return taken_ >= kMost; }
  std::uint64_t calls() const { return calls_; }

private:
  std::uint64_t calls_ = 0, next_ = 0;
  unsigned taken_ = 0;
};

/// Compares the call that the program is about to make. Returns false if no further call is to be audited, because one
/// differed in how it ended, or because the file is full. Cost: that of two compared calls and two forks; the first one
/// takes two more, and what it costs to find the outputs (recorder_outputs.h).
bool auditCall(RecordFile &file, const char *candidate, const PendingCall &call);

/// Writes other values into what the call reads: a few elements, each a copy of another one of its array, so that no
/// index leaves its domain; outputs that the call only writes get garbage. Returns the number of changed elements. A
/// fault, where memory may not be written, ends the process.
std::uint32_t changeInputs(const PendingCall &call);

} // namespace agentic::recorder
