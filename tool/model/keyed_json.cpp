#include "tool/model/keyed_json.h"

#include "tool/base/files.h"

#include <nlohmann/json.hpp>

namespace agentic {

using nlohmann::json;

std::optional<json> loadKeyed(const std::string &file, int schema, const std::string &key) {
  const Result<std::string> text = readFile(file);
  if (!text)
    return std::nullopt;
  json object = json::parse(*text, nullptr, false);
  if (!object.is_object() || object.value("schema", json()) != schema || object.value("key", json()) != key)
    return std::nullopt;
  return object;
}

Result<void> saveKeyed(const std::string &file, int schema, const std::string &key, json object) {
  object["schema"] = schema;
  object["key"] = key;
  return writeFileAtomic(file, object.dump(1, ' ', false, json::error_handler_t::replace));
}

} // namespace agentic
