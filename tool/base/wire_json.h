// JSON from strangers: parsing that no input overwhelms, and reading that never throws.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace agentic {

using Json = nlohmann::json;

/// Returns nullopt for text that is no JSON, and for JSON nested deeper than any provider's answer: copying and writing
/// recurse.
std::optional<Json> parseWireJson(std::string_view text);

/// Writes one line; invalid UTF-8 is replaced.
std::string dumpWireJson(const Json &value);

/// Returns the member at the end of the path; a null if any step is missing or is no object.
const Json &at(const Json &value, std::initializer_list<std::string_view> path);
const Json &at(const Json &value, std::string_view key);

/// Returns the element; a null if `value` is no array or too short.
const Json &elementAt(const Json &value, std::size_t index);

/// Returns the string at the path; "" if there is none.
std::string textAt(const Json &value, std::initializer_list<std::string_view> path);
std::string textAt(const Json &value, std::string_view key);

/// Returns the number at the path if 0 ≤ n ≤ 10^15; else 0.
std::int64_t countAt(const Json &value, std::initializer_list<std::string_view> path);

/// Reads a finite number, or a string that holds one (prices).
std::optional<double> numberOf(const Json &value);

} // namespace agentic
