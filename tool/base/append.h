// Appends whole lines to a record that must survive a crash: run journals, the log of paid calls.
#pragma once

#include "tool/base/error.h"

#include <filesystem>
#include <string_view>

namespace agentic {

/// Writes `line` (with its '\n') at the end of `path`, creates the file if missing, and returns after an fsync. If a
/// predecessor died in the middle of a line, `line` still begins a line of its own. The fsync takes from below 1 ms to
/// tens of ms on a busy disk.
Result<void> appendSynced(const std::filesystem::path &path, std::string_view line);

/// Like appendSynced, without the fsync: the line survives the death of the process; it survives a power cut once a
/// later line of the file has been synced. Use it for lines that other records can restore.
Result<void> appendUnsynced(const std::filesystem::path &path, std::string_view line);

} // namespace agentic
