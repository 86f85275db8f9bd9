// Candidates of the kernel of project_fixture.h.
#pragma once

#include <string>

namespace agentic {

inline std::string kernel(const std::string &body, const std::string &before = {}) {
  return before + "void running(const unsigned *x, unsigned *y, std::size_t n) {\n" + body + "\n}\n";
}

inline const std::string kLinear =
    kernel("  unsigned sum = 0;\n  for (std::size_t i = 0; i < n; ++i)\n    y[i] = sum += x[i];");

} // namespace agentic
