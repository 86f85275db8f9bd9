// Texts within JSON, changed where they stand: keys, numbers, order and layout stay.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace agentic {

/// A string's text, the key that it belongs to (of an array's strings: the array's; empty = none), and the string just
/// before it in the same array.
using ChangeText =
    std::function<std::string(const std::string &text, const std::string &key, const std::string &before)>;

/// `json` must be a valid document, and is one afterwards.
std::string changedJsonValues(std::string_view json, const ChangeText &change);

} // namespace agentic
