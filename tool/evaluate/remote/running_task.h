// What a host is asked to run in the place of this machine: one program inside the sandbox there. Both sides of it.
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/build/sandbox.h"
#include "tool/evaluate/remote/measuring_task.h"
#include "tool/farm/task.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

inline constexpr std::string_view kRunVerb = "run";

/// The task. Programs and what they read are in `files`, under the names that the spec gives them; of the view, the
/// writable folders, with the files that are in them, and what the program may start count. A program that is to have a
/// CPU of its own gets the one that measures there, and with `locks` the machine's lock; this process may hold that of
/// its own machine.
Task runningTask(const ProcessSpec &spec, const Sandbox::View &view, std::vector<TaskFile> files, bool locks);

/// Runs it, on the host. The bytes of the result are what the program printed and wrote. Throws
/// nlohmann::json::exception. Errors: Sandbox::run()'s; it wrote more than a message holds.
Result<TaskResult> runTask(const nlohmann::json &description, const HostSurroundings &here);

/// Reads the result, and writes below `writable` what the program left in these folders. Hostile input: nothing is
/// written elsewhere. Errors: what the host's work ended with; a result that is none.
Result<ProcessResult> ranThere(const TaskResult &result, const std::vector<std::string> &writable);

} // namespace agentic
