// A line of what a program of this folder reports.
#pragma once

#include <fmt/format.h>

#include <iostream>
#include <string>

namespace agentic::cost {

/// measure.sh reads what was measured and its value apart by the two blanks between them.
inline void row(const std::string &what, const std::string &value) {
  std::cout << fmt::format("{:<72} {}", what, value) << std::endl;
}

} // namespace agentic::cost
