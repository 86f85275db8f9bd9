#include "tool/secrets/json_values.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <vector>

namespace agentic {
namespace {

/// Returns the place after the closing quote of the string that begins at `at`.
std::size_t stringEnd(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at)
    if (json[at] == '\\')
      ++at;
  return at + 1;
}

bool isKey(std::string_view json, std::size_t end) {
  while (end < json.size() && std::isspace(static_cast<unsigned char>(json[end])))
    ++end;
  return end < json.size() && json[end] == ':';
}

} // namespace

std::string changedJsonValues(std::string_view json, const ChangeText &change) {
  struct Level {
    std::string parent, path, before;
  };
  std::vector<Level> levels(1);
  std::string changed;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] != '"') {
      if (json[at] == '[')
        levels.push_back({levels.back().path, levels.back().path, {}});
      else if (json[at] == '{')
        levels.push_back({levels.back().path.empty() ? "" : levels.back().path + ".", {}, {}});
      else if ((json[at] == ']' || json[at] == '}') && levels.size() > 1)
        levels.pop_back();
      changed += json[at++];
      continue;
    }
    const std::size_t end = stringEnd(json, at);
    const std::string_view literal = json.substr(at, end - at);
    const std::string text = nlohmann::json::parse(literal).get<std::string>();
    at = end;
    if (isKey(json, end)) {
      changed += literal;
      levels.back().path = levels.back().parent + text;
      levels.back().before.clear();
      continue;
    }
    const std::string now = change(text, levels.back().path, levels.back().before);
    changed += now == text ? std::string(literal)
                           : nlohmann::json(now).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    levels.back().before = text;
  }
  return changed;
}

} // namespace agentic
