// Evaluates expressions over constant tables, as C++ computes them.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace agentic::moves {

/// Returns the value of a part that the caller knows; nullopt: evaluate its operands.
using KnownValue = std::function<std::optional<std::int64_t>(const Expression &)>;

/// Returns the value of an integer expression made of literals, constants, elements of constant tables and parts that
/// `known` has. nullopt if it contains anything else, if its evaluation would be undefined (an overflow, a place
/// outside of its table, a division by zero, a shift too far), or if a value does not fit in 63 bits.
std::optional<std::int64_t> evaluate(const Nest &nest, const Expression &expression, const KnownValue &known);

} // namespace agentic::moves
