#include "tool/evaluate/insight/classification.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {

Classification classify(const Roofline &roofline, const CallWork &work, double loopFlops, double loopBytes) {
  Classification result;
  if (roofline.levels.empty() || roofline.flopsPerSecond <= 0)
    return result;
  const MemoryLevel &level = roofline.levelFor(work.bytes);
  if (level.bytesPerSecond <= 0)
    return result;
  result.level = level.name;
  result.balance = roofline.flopsPerSecond / level.bytesPerSecond;
  const bool isCounted = work.bytes > 0 && work.operations > 0;
  if (isCounted)
    result.intensity = work.operations / work.bytes;
  else if (loopBytes > 0 && loopFlops > 0)
    result.intensity = loopFlops / loopBytes;
  if (result.intensity > 0)
    result.bound = result.intensity < result.balance ? Bound::Memory : Bound::Compute;
  if (work.ns <= 0)
    return result;
  const double seconds = work.ns * 1e-9;
  const double memory = 100 * work.bytes / seconds / level.bytesPerSecond;
  const double arithmetic = 100 * work.operations / seconds / roofline.flopsPerSecond;
  result.percent = std::max(memory, arithmetic);
  return result;
}

std::string classificationText(const Classification &classification, const CallWork &work) {
  const char *bound = classification.bound == Bound::Memory    ? "memory-bound"
                      : classification.bound == Bound::Compute ? "compute-bound"
                                                               : "not classified: neither the benchmark nor the hot "
                                                                 "loop shows floating-point work and bytes";
  std::string text = std::string(bound) + "\n";
  if (classification.intensity > 0)
    text += fmt::format("{:.2g} operations per byte ({}); the machine's roof has its edge at {:.2g} ({})\n",
                        classification.intensity,
                        work.bytes > 0 && work.operations > 0 ? "as the benchmark counts" : "of the hot loop",
                        classification.balance, classification.level);
  if (classification.percent > 0)
    text += fmt::format("{:.0f}% of the machine's roofline at {}\n", classification.percent, classification.level);
  else
    text += "percent of the roofline: not known, the benchmark counts neither bytes nor operations\n";
  return text;
}

} // namespace agentic
