// Evaluates a contract's expression for given arguments: the extents and shapes that a call may have.
#pragma once

#include "tool/model/expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace agentic {

/// Returns a parameter's value, or the size of a range parameter; nullopt = not known.
using NameValue = std::function<std::optional<double>(std::string_view name, bool isSize)>;

/// Evaluates integer operators on integers as C++ does in 64 bits, everything else in double; conditions are 0 or 1.
/// Returns nullopt for a name without a value, a division by zero, a shift out of range, an overflow.
std::optional<double> valueOf(const Expression &expression, const NameValue &names);

} // namespace agentic
