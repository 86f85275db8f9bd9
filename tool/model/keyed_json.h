// Keeps a learnt result in a file: the object counts only for the schema and the key that it was written with. A file
// that is missing, damaged or has another key is no error: the result is learnt again.
#pragma once

#include "tool/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace agentic {

std::optional<nlohmann::json> loadKeyed(const std::string &file, int schema, const std::string &key);

/// Adds "schema" and "key" to `object` and saves it, whole or not at all (writeFileAtomic); invalid UTF-8 is replaced.
Result<void> saveKeyed(const std::string &file, int schema, const std::string &key, nlohmann::json object);

} // namespace agentic
