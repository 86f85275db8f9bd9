// Whether memory or arithmetic bounds a kernel, and how near it is to that bound. Pure.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"

#include <string>

namespace agentic {

/// Of one call; 0 = not known.
struct CallWork {
  std::string benchmark;
  double ns = 0, bytes = 0, operations = 0;
};

enum class Bound { Unknown, Memory, Compute };

struct Classification {
  Bound bound = Bound::Unknown;
  double intensity = 0; ///< operations per byte; 0 = not known
  double balance = 0;   ///< where the machine's roof has its edge, at the level that holds the bytes
  double percent = 0;   ///< of the roof at that intensity; 0 = not known
  std::string level;
};

/// `loopFlops`, `loopBytes`: of one pass of the hot loop, which stand in for what the benchmark does not count.
Classification classify(const Roofline &roofline, const CallWork &work, double loopFlops, double loopBytes);

std::string classificationText(const Classification &classification, const CallWork &work);

} // namespace agentic
