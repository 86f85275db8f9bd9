#include "tool/report/suite_reason.h"

#include "tool/base/text.h"

#include <fmt/format.h>

#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kNoteCap = 300;

/// Cuts a long note between two of its parts.
std::string shortened(const std::string &note) {
  std::size_t shown = note.size();
  while (shown > kNoteCap && shown != std::string::npos)
    shown = note.rfind("; ", shown - 1);
  if (shown == note.size())
    return note;
  if (shown == std::string::npos) // it is one long part
    return note.substr(0, kNoteCap) + "...";
  int more = 0;
  for (std::size_t at = shown; at != std::string::npos; at = note.find("; ", at + 1))
    ++more;
  return fmt::format("{}; and {} more", note.substr(0, shown), more);
}

std::string triedText(const NothingGained &facts) {
  const std::string stopped = facts.stopped.empty() ? "" : ": " + facts.stopped;
  if (facts.candidates == 0)
    return "0 candidates tried" + stopped;
  std::vector<std::string> parts;
  if (facts.sameCode > 0)
    parts.push_back(fmt::format("{} compiled to known code", facts.sameCode));
  for (const auto &[stage, count] : facts.rejected)
    parts.push_back(fmt::format("{} refused by {}", count, stage));
  return fmt::format("{} candidate{} tried, none faster{}{}", facts.candidates, facts.candidates == 1 ? "" : "s",
                     parts.empty() ? "" : " (" + join(parts, ", ") + ")", stopped);
}

} // namespace

std::string whyNothingGained(const NothingGained &facts) {
  std::vector<std::string> reasons;
  if (facts.bandwidthPercent && *facts.bandwidthPercent >= kMemoryBoundPercent)
    reasons.push_back(fmt::format("memory-bound at {:.0f} % of the measured {} bandwidth", *facts.bandwidthPercent,
                                  facts.memoryLevel));
  if (facts.vectorizedLoops > 0)
    reasons.push_back(fmt::format("already vectorized by {} ({} of {} innermost loops)", facts.compiler,
                                  facts.vectorizedLoops, facts.loops));
  reasons.push_back(triedText(facts));
  if (!facts.agentNote.empty())
    reasons.push_back(shortened(facts.agentNote));
  return join(reasons, "; ");
}

} // namespace agentic
