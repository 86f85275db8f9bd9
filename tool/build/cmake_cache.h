// CMakeCache.txt, entry by entry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct CacheEntry {
  std::string key, type, value;
  std::string help; ///< the comment lines before it, without "//"
};

/// In the file's order. Handles quoted keys and values with outer spaces; skips what it does not understand. Pure.
std::vector<CacheEntry> parseCMakeCache(std::string_view text);

/// Empty if there is no such entry.
std::string cacheValue(const std::vector<CacheEntry> &entries, std::string_view key);

std::string bracketArgument(std::string_view value); ///< "[=[value]=]": nothing in it is interpreted

/// A line of a script for `cmake -C` that sets an entry.
std::string cacheLine(std::string_view key, std::string_view value, std::string_view type);

} // namespace agentic
