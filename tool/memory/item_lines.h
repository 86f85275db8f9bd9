// Items as lines of JSON: what is exported, imported and checked in as agentic-memory.jsonl.
//
// Such a file may come from anybody: whatever is no item is left out, with the reason of the first.
#pragma once

#include "tool/base/error.h"
#include "tool/model/memory_item.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// The name of the file that a project checks in.
inline constexpr const char *kProjectMemoryFile = "agentic-memory.jsonl";

struct ReadItems {
  std::vector<MemoryItem> items;
  std::size_t leftOut = 0;
  std::string firstReason; ///< "line 3: it has no title"
};

/// Reads at most 5,000 lines, each with "v": 1 and an item's fields. Empty lines are none.
ReadItems readItemLines(std::string_view text);

/// Reads a file of at most 8 MiB. Errors: it cannot be read, or it is larger.
Result<ReadItems> readItemFile(const std::string &file);

/// Writes items in the order of their ids, without the counts of their uses.
std::string itemLines(std::vector<MemoryItem> items);

} // namespace agentic
