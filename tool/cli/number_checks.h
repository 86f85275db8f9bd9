// What options take that are numbers, said in words where a value is none of them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace agentic {

/// For CLI::Option::check(): what is wrong with a value; empty if it is one of these.
using ValueCheck = std::function<std::string(const std::string &value)>;

ValueCheck wholeNumber(std::int64_t least, std::int64_t most = std::numeric_limits<int>::max());
ValueCheck number(double least, double most); ///< finite
ValueCheck numberFromZero();
ValueCheck numberAboveZero();

} // namespace agentic
