// What compiler, object code and machine tell about a kernel, for people and for models: plain sections of text.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct InsightSection {
  std::string title, text;
  std::string note; ///< how far to trust it, or why it is empty
};

/// What the object code does, in numbers. "A pass" is one of the hot loop, as it is written.
struct CodeFigures {
  std::size_t codeBytes = 0; ///< of code and constants; 0 = not known
  int instructions = 0;      ///< of a pass; 0 = there is no loop, or instructions are not told apart
  int widestVector = 0;      ///< bytes; 0 = none
  int branches = 0;          ///< of a pass
  double bytes = 0;          ///< loaded and stored in a pass, the stack excepted
  double flops = 0;          ///< of a pass
};

struct Insight {
  std::string title;
  std::vector<InsightSection> sections; ///< in the order of InsightRequest's parts
  CodeFigures figures;
  std::vector<std::string> bounds; ///< words of boundWords() (model/kernel_features.h), by "limits"
};

/// Title of the section that says in a line each what bounds the kernel (limits.h).
inline constexpr std::string_view kLimitsTitle = "Limits";
/// Returns the lines of that section; empty if there is none.
std::vector<std::string> limitsIn(const Insight &insight);

/// Names of parts: "limits", "remarks", "loop", "mix", "mca", "counters", "roofline".
struct InsightRequest {
  std::set<std::string, std::less<>> parts; ///< empty = all
  std::string rooflineFile;                 ///< file that keeps the machine's roofline
  bool wants(std::string_view part) const { return parts.empty() || parts.contains(part); }
};

/// {"title","sections":[{"title","text","note"}]}; bytes that are not UTF-8 are replaced.
std::string insightJson(const Insight &insight);

/// The sections as text, for people and for a model; ≤ `most` bytes, whole lines.
std::string insightText(const Insight &insight, std::size_t most = std::size_t{1} << 20);

} // namespace agentic
