// What an agent may know before anything was tried.
#pragma once

#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/run_state.h"

namespace agentic {

/// Returns the kernel, for what it is compiled, and what calibration found. Limits and the seed are the caller's.
RunState stateAtTheStart(const Evaluator &evaluator);

} // namespace agentic
