// How fast the whole application is with a variant: END_TO_END of add_agentic_kernel().
#pragma once

#include "tool/model/measurement.h"

#include <string>

namespace agentic {

enum class EndToEndOutcome {
  Faster,      ///< the whole interval is above 1
  NoChange,    ///< 1 is within it
  Slower,      ///< the whole interval is below 1: it got slower for sure
  Failed,      ///< the application does not run with the variant as it does with the original
  NotMeasured, ///< `reason` says why
};

struct EndToEnd {
  EndToEndOutcome outcome = EndToEndOutcome::NotMeasured;
  std::string application; ///< the program that it runs
  std::string metric;      ///< unit of the number that it prints: "tokens/s"
  std::string printed;     ///< by the original, and where: "12.5 MB/s, from the line '…'"
  double kernelShare = -1; ///< the kernel's part in that number, 0 … 1; negative = not known
  Speedup speedup;         ///< never a narrower interval than the original has against itself
  double spread = 1;       ///< ratio by which the original may differ from itself: 1.02
  int pairs = 0;           ///< of original and variant; as many of the original with itself
  std::string reason;
};

} // namespace agentic
