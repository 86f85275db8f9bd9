// Patterns of the tests' own, in memory.
#pragma once

#include "tool/knowledge/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agentic {

/// A pattern's text with these lines in front of its sections.
inline std::string patternFile(const std::string &title, const std::string &lines,
                               const std::string &when = "Always.") {
  return "# " + title + "\n\n" + lines + "\n\n## When\n" + when +
         "\n\n## Idea\nDo it well.\n\n## Sketch\n```cpp\nint f();\n```\n\n## Costs\nLittle.\n\n## Sources\nNobody.\n";
}

inline Pattern patternOf(const std::string &name, const std::string &title, const std::string &lines,
                         const std::string &when = "Always.") {
  Result<Pattern> pattern = parsePattern(name, patternFile(title, lines, when));
  EXPECT_TRUE(pattern) << pattern.error().message;
  return pattern ? std::move(*pattern) : Pattern();
}

inline std::vector<Pattern> fivePatterns() {
  return {patternOf("lanes-for-a-sum", "Lanes for a sum",
                    "features: reduction, float, streaming\nunless: branchy\nbound: latency\ncontract: reassociate"),
          patternOf("blocks-of-a-product", "Blocks of a matrix product",
                    "features: matrix-product, reduction, float, nested-loops\nbound: memory, compute"),
          patternOf("several-histograms", "Several histograms", "features: histogram, scatter, byte\nbound: latency"),
          patternOf("wide-shuffles", "Tables by shuffles of wide registers",
                    "features: table-lookup, byte, streaming\nbound: compute\nlevel: x86-64-v4"),
          patternOf("plain-sum", "A plain sum", "features: reduction, integer, streaming\nbound: memory")};
}

} // namespace agentic
