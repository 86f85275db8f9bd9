// The file of a memory, in which each store has tables of its own.
#pragma once

#include "tool/base/error.h"
#include "tool/store/database.h"

#include <string>

namespace agentic {

/// Creates it if it is missing. ":memory:" is of this process alone. Waits up to 3 s for another process that writes: a
/// run goes on without its memory rather than wait.
Result<Database> openMemoryFile(const std::string &file);

} // namespace agentic
