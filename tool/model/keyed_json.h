// What was learnt once and is kept in a file: an object that counts only for the schema and the key it was written
// with. A file that is missing, damaged or another's is no error: it is learnt again.
#pragma once

#include "tool/base/error.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace agentic {

std::optional<nlohmann::json> loadKeyed(const std::string &file, int schema, const std::string &key);

/// `object` gets "schema" and "key"; invalid UTF-8 is replaced. Whole or not at all (writeFileAtomic).
Result<void> saveKeyed(const std::string &file, int schema, const std::string &key, nlohmann::json object);

} // namespace agentic
