#include "tool/build/cmake_cache.h"

#include "tool/base/text.h"

#include <optional>

namespace agentic {
namespace {

/// KEY:TYPE=VALUE, or "KEY WITH : OR =":TYPE=VALUE.
std::optional<CacheEntry> parseEntry(std::string_view line) {
  CacheEntry entry;
  std::string_view rest;
  if (line.starts_with("\"")) {
    const std::size_t quote = line.find('"', 1);
    if (quote == std::string_view::npos || !line.substr(quote + 1).starts_with(":"))
      return std::nullopt;
    entry.key = line.substr(1, quote - 1);
    rest = line.substr(quote + 2);
  } else {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return std::nullopt;
    entry.key = line.substr(0, colon);
    rest = line.substr(colon + 1);
  }
  const std::size_t equals = rest.find('=');
  if (entry.key.empty() || equals == std::string_view::npos)
    return std::nullopt;
  entry.type = rest.substr(0, equals);
  std::string_view value = rest.substr(equals + 1);
  // CMake writes 'value' when the value begins or ends with a space
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'')
    value = value.substr(1, value.size() - 2);
  entry.value = value;
  return entry;
}

} // namespace

std::vector<CacheEntry> parseCMakeCache(std::string_view text) {
  std::vector<CacheEntry> entries;
  std::string help;
  for (const std::string &raw : split(text, '\n')) {
    std::string_view line = raw;
    if (line.ends_with("\r"))
      line.remove_suffix(1);
    if (line.starts_with("//")) {
      help += line.substr(2);
    } else if (line.empty() || line.starts_with("#")) {
      help.clear();
    } else if (auto entry = parseEntry(line)) {
      entry->help = help;
      help.clear();
      entries.push_back(std::move(*entry));
    }
  }
  return entries;
}

std::string cacheValue(const std::vector<CacheEntry> &entries, std::string_view key) {
  for (const CacheEntry &entry : entries)
    if (entry.key == key)
      return entry.value;
  return {};
}

std::string bracketArgument(std::string_view value) {
  std::string equals = "=";
  while (value.find("]" + equals + "]") != std::string::npos || value.ends_with("]" + equals))
    equals += "=";
  return "[" + equals + "[" + std::string(value) + "]" + equals + "]";
}

std::string cacheLine(std::string_view key, std::string_view value, std::string_view type) {
  return "set(" + bracketArgument(key) + " " + bracketArgument(value) + " CACHE " + std::string(type) +
         " \"\" FORCE)\n";
}

} // namespace agentic
