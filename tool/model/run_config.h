// Validated settings of one run of the loop. Filled by `cli`, read by everything else.
#pragma once

#include <cstdint>
#include <string>

namespace agentic {

struct RunConfig {
  std::string agent = "builtin";
  int maxIterations = 0;   ///< 0 = unlimited
  double maxSeconds = 180; ///< wall time of the whole run, preparation included; 0 = unlimited
  std::uint64_t seed = 1;
  bool write = true;
  std::string patchFile; ///< write a patch there instead of the files
  bool resume = false;
  bool allowUnoptimized = false;
  bool allowNoSandbox = true; ///< rlimits only, with a printed warning, where no sandbox works
  double threshold = 0.02;    ///< smallest gain that counts
};

} // namespace agentic
