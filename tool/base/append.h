// Appending whole lines to a record that must survive a crash: run journals, the log of paid calls.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <string_view>

namespace agentic {

/// Writes `line` (with its '\n') at the end of `path`, created if missing, and returns after an fsync. A predecessor
/// that died in the middle of a line does not swallow it: it then begins on a line of its own.
Result<void> appendSynced(const std::filesystem::path &path, std::string_view line);

} // namespace agentic
