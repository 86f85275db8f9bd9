// Values of expressions over constant tables, as C++ computes them.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace agentic::moves {

/// Value of a part that the caller knows; nullopt: look inside.
using KnownValue = std::function<std::optional<std::int64_t>(const Expression &)>;

/// The value of an integer expression made of literals, constants, elements of constant tables and parts that `known`
/// has. nullopt if there is anything else in it, if computing it would be undefined (an overflow, a place outside of
/// its table, a division by zero, a shift too far), or if a value does not fit in 63 bits.
std::optional<std::int64_t> evaluate(const Nest &nest, const Expression &expression, const KnownValue &known);

} // namespace agentic::moves
