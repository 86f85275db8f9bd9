// The value of a contract's expression for given arguments: which extents and which shapes a call may have.
#pragma once

#include "tool/model/expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace agentic {

/// A parameter's value, or the size of a range parameter; nullopt = not known.
using NameValue = std::function<std::optional<double>(std::string_view name, bool isSize)>;

/// Integer operators on integers as C++ does them in 64 bits, everything else in double; conditions are 0 or 1.
/// nullopt: a name without a value, a division by zero, a shift out of range, an overflow.
std::optional<double> valueOf(const Expression &expression, const NameValue &names);

} // namespace agentic
