// Classifies a kernel: whether memory or arithmetic bounds it, and how near it is to that bound. Pure.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"

#include <string>

namespace agentic {

/// The work of one call; 0 = not known.
struct CallWork {
  std::string benchmark;
  double ns = 0, bytes = 0, operations = 0;
};

enum class Bound { Unknown, Memory, Compute };

struct Classification {
  Bound bound = Bound::Unknown;
  double intensity = 0; ///< operations per byte; 0 = not known
  double balance = 0;   ///< the ridge of the machine's roof, at the level that holds the bytes
  double percent = 0;   ///< share of the roof at that intensity; 0 = not known
  std::string level;
};

/// `loopFlops`, `loopBytes`: of one pass of the hot loop; they replace what the benchmark does not count.
Classification classify(const Roofline &roofline, const CallWork &work, double loopFlops, double loopBytes);

std::string classificationText(const Classification &classification, const CallWork &work);

} // namespace agentic
