// Serves one connection of farm/message.h.
#pragma once

#include "tool/base/error.h"
#include "tool/worker/worker_store.h"

#include <string>

namespace agentic {

/// Reads from one descriptor and writes to the other until the input ends or nothing comes for half an hour, and then
/// until the task is done that it is at. Errors: what arrives is no message.
Result<void> serve(const WorkerStore &store, int input, int output);

} // namespace agentic
