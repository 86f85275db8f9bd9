// Checks of numeric options, with an error in words for an invalid value.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace agentic {

/// A check for CLI::Option::check(): returns the fault of a value; empty if it is valid.
using ValueCheck = std::function<std::string(const std::string &value)>;

ValueCheck wholeNumber(std::int64_t least, std::int64_t most = std::numeric_limits<int>::max());
ValueCheck number(double least, double most); ///< finite
ValueCheck numberFromZero();
ValueCheck numberAboveZero();

} // namespace agentic
