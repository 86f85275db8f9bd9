// Reads CMakeCache.txt, entry by entry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct CacheEntry {
  std::string key, type, value;
  std::string help; ///< the comment lines before it, without "//"
};

/// Returns the entries in the file's order. Handles quoted keys and values with outer spaces; skips lines that it does
/// not understand. Pure.
std::vector<CacheEntry> parseCMakeCache(std::string_view text);

/// Returns an entry's value; empty if there is no such entry.
std::string cacheValue(const std::vector<CacheEntry> &entries, std::string_view key);

std::string bracketArgument(std::string_view value); ///< "[=[value]=]": nothing in it is interpreted

/// Returns a line that sets an entry in a script for `cmake -C`.
std::string cacheLine(std::string_view key, std::string_view value, std::string_view type);

} // namespace agentic
