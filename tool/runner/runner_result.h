// The result file: each step's record is one write, so that a crash keeps the records before it.
#pragma once

#include "tool/runner/runner_step.h"

namespace agentic::runner {

/// Opens the file for appending under a high descriptor number that nobody can know in advance, and writes the header.
/// It stays open: results are written while the kernel is loaded; the process has no path to it.
int openResult(const char *path);

void writeResult(int descriptor, StepOutcome &outcome);

} // namespace agentic::runner
