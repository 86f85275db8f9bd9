// JSON that strangers wrote: parsing that nothing overwhelms, and reading that never throws.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace agentic {

using Json = nlohmann::json;

/// nullopt for what is no JSON, and for what is nested deeper than any provider's answer: copying and writing recurse.
std::optional<Json> parseWireJson(std::string_view text);

/// One line; invalid UTF-8 is replaced.
std::string dumpWireJson(const Json &value);

/// The member at the end of the path; a null if any step is missing or is no object.
const Json &at(const Json &value, std::initializer_list<std::string_view> path);
const Json &at(const Json &value, std::string_view key);

/// The element; a null if `value` is no array or too short.
const Json &elementAt(const Json &value, std::size_t index);

/// "" if it is no string.
std::string textAt(const Json &value, std::initializer_list<std::string_view> path);
std::string textAt(const Json &value, std::string_view key);

/// Any number, 0 ≤ n ≤ 10^15; 0 for everything else.
std::int64_t countAt(const Json &value, std::initializer_list<std::string_view> path);

/// A finite number, or a string that holds one (prices).
std::optional<double> numberOf(const Json &value);

} // namespace agentic
