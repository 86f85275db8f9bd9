// Texts within JSON, changed where they stand: keys, numbers, order and layout stay.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace agentic {

/// A string's text, the keys that lead to it with dots between ("env.DEPLOY_TOKEN"; indices of arrays are left out),
/// and the string just before it in the same array.
using ChangeText =
    std::function<std::string(const std::string &text, const std::string &path, const std::string &before)>;

/// `json` must be a valid document, and is one afterwards.
std::string changedJsonValues(std::string_view json, const ChangeText &change);

} // namespace agentic
