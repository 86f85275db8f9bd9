// Changes texts within JSON in place: keys, numbers, order and layout stay.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace agentic {

/// Changes one string. Gets its text, the keys that lead to it with dots between ("env.DEPLOY_TOKEN"; indices of arrays
/// are left out), and the string just before it in the same array.
using ChangeText =
    std::function<std::string(const std::string &text, const std::string &path, const std::string &before)>;

/// Returns `json`, a valid document, with its string values changed; the result is valid, too.
std::string changedJsonValues(std::string_view json, const ChangeText &change);

} // namespace agentic
