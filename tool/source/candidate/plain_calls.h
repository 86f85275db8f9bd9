// Calls that plain code can stand for: intrinsics of one operation, hints around a value, and conversions of type that
// change no bit. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct PlainCall {
  std::string text;         ///< shorter than the call
  bool isSame = false;      ///< computes the same bits by definition; else only the object code can show it
  bool isOperation = false; ///< needs parentheses inside of a larger expression
};

/// Returns what may stand for a call of `name` with these arguments; nullopt: nothing is known.
std::optional<PlainCall> plainCall(std::string_view name, const std::vector<std::string> &arguments);

/// Returns whether a statement that calls `name` computes nothing: prefetches and assumptions.
bool isHintCall(std::string_view name);

} // namespace agentic
