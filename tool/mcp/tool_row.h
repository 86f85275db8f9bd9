// A tool: one file, which ends with its ToolRow, and one line of tools.cpp.
#pragma once

#include "tool/mcp/host.h"
#include "tool/mcp/job.h"
#include "tool/mcp/workplace.h"

#include <span>
#include <string>

namespace agentic::mcp {

struct ToolRow {
  ToolInfo (*info)();
  /// Returns within kCallSeconds and a moment.
  ToolResult (*run)(Workplace &workplace, Call &call);
};
std::span<const ToolRow *const> toolTable();

/// Clients cut calls at 60 s, some earlier, whatever progress they hear.
inline constexpr double kCallSeconds = 20;
inline constexpr int kMostWaitSeconds = 25;

/// The error as a failed result.
ToolResult failed(const Error &error);
/// Waits for the job, and answers with its state or result.
ToolResult answerOf(const Job &job, Call &call, double seconds = kCallSeconds);

/// The text of an argument; empty if it is not given.
std::string textOf(const Call &call, const char *name);
/// The schema of the argument that names a kernel.
Json kernelArgument();
/// The job of the argument "job".
Result<std::shared_ptr<Job>> jobOf(Workplace &workplace, const Call &call);
/// The session of the argument "kernel".
Result<KernelSession *> sessionOf(Workplace &workplace, const Call &call);

} // namespace agentic::mcp
