#include "tool/mcp/schema.h"

#include "tool/agent/bounded_text.h"
#include "tool/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace agentic::mcp {
namespace {

bool isOfType(const Json &value, const std::string &type) {
  if (type == "string")
    return value.is_string();
  if (type == "integer")
    return value.is_number_integer();
  if (type == "number")
    return value.is_number();
  return type == "boolean" ? value.is_boolean() : type == "object" && value.is_object();
}

std::string misfitOf(const std::string &name, const Json &schema, const Json &value) {
  const std::string type = schema.at("type");
  if (!isOfType(value, type))
    return fmt::format("'{}' is no {}", name, type);
  if (const auto words = schema.find("enum"); words != schema.end() && std::ranges::find(*words, value) == words->end())
    return fmt::format("'{}' is none of {}", name, words->dump());
  if (const auto least = schema.find("minimum"); least != schema.end() && value < *least)
    return fmt::format("'{}' is less than {}", name, least->dump());
  if (const auto most = schema.find("maximum"); most != schema.end() && value > *most)
    return fmt::format("'{}' is more than {}", name, most->dump());
  if (const auto most = schema.find("maxLength");
      most != schema.end() && value.get_ref<const std::string &>().size() > most->get<std::size_t>())
    return fmt::format("'{}' has {} bytes; the most is {}", name, value.get_ref<const std::string &>().size(),
                       most->dump());
  return {};
}

} // namespace

std::string misfit(const Json &schema, const Json &arguments) {
  if (!arguments.is_object())
    return "the arguments are no object";
  const Json &properties = schema.at("properties");
  std::vector<std::string> names;
  for (const auto &[name, property] : properties.items())
    names.push_back(name);
  for (const auto &[name, value] : arguments.items()) {
    const auto property = properties.find(name);
    if (property == properties.end())
      return fmt::format("there is no argument '{}'; there {} {}", boundedText(oneLine(name), kNameBytes),
                         names.empty() ? "is" : "are", names.empty() ? "none" : join(names, ", "));
    if (std::string wrong = misfitOf(name, *property, value); !wrong.empty())
      return wrong;
  }
  for (const Json &name : schema.at("required"))
    if (!arguments.contains(name.get_ref<const std::string &>()))
      return fmt::format("the argument '{}' is missing", name.get_ref<const std::string &>());
  return {};
}

Json objectSchema(Json properties, std::vector<std::string> required) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

Json orFailed(Json schema) {
  const Json text = {{"type", "string"}};
  schema["properties"]["error"] = objectSchema({{"message", text}, {"next", text}}, {"message", "next"});
  schema["anyOf"] = {{{"required", schema["required"]}}, {{"required", {"error"}}}};
  schema.erase("required");
  return schema;
}

} // namespace agentic::mcp
