#include "tool/agent/strategy.h"

namespace agentic {

extern const StrategyRow kBeam;

std::span<const StrategyRow *const> allStrategies() {
  static constexpr const StrategyRow *kStrategies[] = {&kBeam};
  return kStrategies;
}

} // namespace agentic
