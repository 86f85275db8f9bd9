// Appending whole lines to a record that must survive a crash: run journals, the log of paid calls.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <string_view>

namespace agentic {

/// Writes `line` (with its '\n') at the end of `path`, created if missing, and returns after an fsync. A predecessor
/// that died in the middle of a line does not swallow it: it then begins on a line of its own. An fsync takes what the
/// disk takes: from below 1 ms to tens of ms on a busy one.
Result<void> appendSynced(const std::filesystem::path &path, std::string_view line);

/// The same without the fsync: the line survives the death of the process, and a power cut once a later line of the
/// file has been synced. For what can be told from other records.
Result<void> appendUnsynced(const std::filesystem::path &path, std::string_view line);

} // namespace agentic
