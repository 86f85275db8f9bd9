#include "tool/agent/tool_arguments.h"

#include "tool/agent/bounded_text.h"
#include "tool/agent/reply_parser.h"
#include "tool/base/text.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;

constexpr const char *kSchema =
    R"({"type":"object","properties":{"name":{"type":"string","description":"a short file name, such as unrolled.cpp"},)"
    R"("source":{"type":"string","description":"the complete C++ file"}},)"
    R"("required":["name","source"],"additionalProperties":false})";
constexpr std::size_t kErrorBytes = 300;

/// Deep nesting would overflow the parser's stack; two strings need none.
bool isDeep(std::string_view text) {
  int depth = 0;
  bool isString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isString && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      isString = !isString;
    else if (!isString && (text[i] == '{' || text[i] == '['))
      ++depth;
    if (depth > 64)
      return true;
  }
  return false;
}

/// Removes the fences if the whole text is one block.
std::string unfenced(std::string_view text) {
  if (!trim(text).starts_with("```") && !trim(text).starts_with("~~~"))
    return std::string(text);
  std::vector<FencedBlock> blocks = fencedBlocks(text);
  return blocks.size() == 1 && blocks.front().isClosed ? std::move(blocks.front().text) : std::string(text);
}

json parsed(std::string_view text, std::string &error) {
  if (isDeep(text)) {
    error = "the arguments are nested too deeply";
    return {};
  }
  try {
    return json::parse(text);
  } catch (const json::exception &first) {
    json mended = json::parse(mendedJson(text), nullptr, false);
    if (mended.is_discarded())
      error = "the arguments are no JSON: " + boundedText(oneLine(first.what()), kErrorBytes);
    return mended;
  }
}

std::string schemaError(const json &value) {
  if (!value.is_object())
    return "the arguments are no JSON object";
  for (const char *name : {"name", "source"}) {
    const auto found = value.find(name);
    if (found == value.end())
      return "'" + std::string(name) + "' is missing";
    if (!found->is_string())
      return "'" + std::string(name) + "' is no string";
  }
  for (const auto &[name, member] : value.items())
    if (name != "name" && name != "source")
      return "there is no argument '" + boundedText(oneLine(name), kNameBytes) + "'";
  return trim(value["source"].get_ref<const std::string &>()).empty() ? "'source' is empty" : "";
}

} // namespace

std::string mendedJson(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result;
  bool isString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!isString) {
      isString = c == '"';
      result += c;
    } else if (c == '"') {
      isString = false;
      result += c;
    } else if (c == '\\') {
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      const bool isUnicode =
          next == 'u' && i + 5 < text.size() &&
          text.substr(i + 2, 4).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
      result += '\\';
      if (isUnicode || (next != '\0' && std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos))
        result += text[++i];
      else
        result += '\\';
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += "\\u00";
      result += kHex[(c >> 4) & 0xF];
      result += kHex[c & 0xF];
    } else {
      result += c;
    }
  }
  return result;
}

ToolDescription evaluateTool(std::string_view function) {
  return {std::string(kEvaluateTool),
          "Checks, compiles, tests and measures one candidate: a complete C++ file that defines " +
              std::string(function) + ".",
          kSchema};
}

ToolArguments readToolArguments(const ToolCall &call, std::size_t mostBytes) {
  ToolArguments result;
  if (call.name != kEvaluateTool) {
    result.error = "there is no tool '" + boundedText(oneLine(call.name), kNameBytes) + "', only " +
                   std::string(kEvaluateTool) + "(name, source)";
    return result;
  }
  const json value = parsed(call.arguments, result.error);
  if (result.error.empty())
    result.error = schemaError(value);
  if (!result.error.empty()) {
    result.error += ". Expected: " + std::string(kSchema);
    return result;
  }
  const std::string name = oneLine(value["name"].get<std::string>());
  result.name = boundedText(name.substr(name.find_last_of("/\\") + 1), kNameBytes);
  result.source = unfenced(value["source"].get<std::string>());
  if (!result.source.ends_with('\n'))
    result.source += '\n';
  if (result.source.size() > mostBytes)
    result.error = "'source' is larger than " + std::to_string(mostBytes >> 10) + " KiB";
  return result;
}

} // namespace agentic
