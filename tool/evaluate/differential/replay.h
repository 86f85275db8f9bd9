// Replays a plan with the runner in a process of its own under the sandbox, and reads the results.
#pragma once

#include "tool/base/error.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/programs/program_run.h"
#include "tool/runner/wire.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct ReplayContext {
  std::string kernel;
  std::string runner, glueLibrary; ///< absolute
  const Sandbox *sandbox = nullptr;
  Sandbox::View view;           ///< paths that the kernel's shared object needs besides: the project's libraries
  std::string scratchDirectory; ///< a private folder is made below it and removed
  RunAdditions added;
  const std::atomic<bool> *cancelled = nullptr;
};

/// One step's result; `outputs` is a view into ReplayOutcome::file.
struct ReplayedStep {
  wire::StepResult header;
  std::span<const std::byte> outputs;
};

struct ReplayOutcome {
  std::shared_ptr<const std::string> file; ///< the runner's result file
  std::vector<ReplayedStep> steps;         ///< those that ended, in order, at most as many as planned
  std::uint32_t atEnd = 0;                 ///< Disturbance found after the last step
  bool isComplete = false;                 ///< all steps and the end
  bool timedOut = false;
  bool isNotLoadable = false; ///< the shared object needs symbols of the project's programs
  std::string message;        ///< the runner's message, or how its process ended
};

/// Runs the `stepCount` steps of a plan's file on the kernel in `sharedObject`. Errors: the runner is broken or
/// missing; interrupted. A kernel that dies, hangs or writes nonsense into the file is an incomplete outcome.
Result<ReplayOutcome> replay(const ReplayContext &context, const std::string &planFile, std::size_t stepCount,
                             const std::string &sharedObject, double timeoutSeconds);

/// Parses a runner's result file; hostile input.
ReplayOutcome parseReplay(std::string file, std::size_t stepCount);

} // namespace agentic
