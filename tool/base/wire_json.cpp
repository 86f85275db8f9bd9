#include "tool/base/wire_json.h"

#include <charconv>
#include <cmath>

namespace agentic {
namespace {

constexpr int kDeepest = 128;
constexpr double kMostTokens = 1e15;

const Json &nothing() {
  static const Json kNull;
  return kNull;
}

bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest)
        return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

} // namespace

std::optional<Json> parseWireJson(std::string_view text) {
  if (isTooDeep(text))
    return std::nullopt;
  Json value = Json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded())
    return std::nullopt;
  return value;
}

std::string dumpWireJson(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json &at(const Json &value, std::string_view key) {
  if (!value.is_object())
    return nothing();
  const auto found = value.find(key);
  return found == value.end() ? nothing() : *found;
}

const Json &at(const Json &value, std::initializer_list<std::string_view> path) {
  const Json *current = &value;
  for (const std::string_view key : path)
    current = &at(*current, key);
  return *current;
}

const Json &elementAt(const Json &value, std::size_t index) {
  return value.is_array() && index < value.size() ? value[index] : nothing();
}

std::string textAt(const Json &value, std::initializer_list<std::string_view> path) {
  const Json &found = at(value, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::string textAt(const Json &value, std::string_view key) {
  return textAt(value, {key});
}

std::int64_t countAt(const Json &value, std::initializer_list<std::string_view> path) {
  const Json &found = at(value, path);
  if (!found.is_number())
    return 0;
  const double number = found.get<double>();
  return number > 0 && number <= kMostTokens ? static_cast<std::int64_t>(number) : 0;
}

std::optional<double> numberOf(const Json &value) {
  if (value.is_number()) {
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  if (!value.is_string())
    return std::nullopt;
  const auto &text = value.get_ref<const std::string &>();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return std::nullopt;
  return number;
}

} // namespace agentic
