#include "tool/evaluate/insight/why_faster.h"

#include "tool/base/text.h"

#include <fmt/format.h>

#include <vector>

namespace agentic {
namespace {

std::string vectorsText(int bytes) {
  return bytes > 0 ? fmt::format("vectors of {} bytes", bytes) : "no vectors";
}

std::string perInstruction(double amount, int instructions) {
  return fmt::format("{:.2g}", amount / instructions);
}

/// "moves 128 bytes with 12 instructions, 11 each, instead of 8 with 5, 1.6 each"
std::string workText(const char *verb, const char *unit, double before, double after, const CodeFigures &first,
                     const CodeFigures &second) {
  return fmt::format("{} {:.0f} {} with {} instructions, {} each, instead of {:.0f} with {}, {} each", verb, after,
                     unit, second.instructions, perInstruction(after, second.instructions), before, first.instructions,
                     perInstruction(before, first.instructions));
}

} // namespace

std::string whyFaster(const CodeFigures &before, const CodeFigures &after) {
  std::vector<std::string> facts;
  if (before.instructions > 0 && after.instructions > 0) {
    if (before.widestVector != after.widestVector)
      facts.push_back("works on " + vectorsText(after.widestVector) + " instead of " +
                      vectorsText(before.widestVector));
    if (before.bytes > 0 && after.bytes > 0 && before.bytes * after.instructions != after.bytes * before.instructions)
      facts.push_back(workText("moves", "bytes", before.bytes, after.bytes, before, after));
    if (before.flops > 0 && after.flops > 0 && before.flops * after.instructions != after.flops * before.instructions)
      facts.push_back(workText("does", "operations on floats", before.flops, after.flops, before, after));
    if (before.branches != after.branches)
      facts.push_back(fmt::format("has {} instead of {} branches", after.branches, before.branches));
  }
  std::string text = facts.empty() ? "" : "a pass of its hot loop " + join(facts, "; it ");
  if (before.codeBytes > 0 && after.codeBytes > 0 && before.codeBytes != after.codeBytes)
    text += fmt::format("{}{} bytes of code and constants instead of {}", text.empty() ? "" : "; ", after.codeBytes,
                        before.codeBytes);
  return text;
}

} // namespace agentic
