// Validated settings of one run of the loop. Filled by `cli`, read by everything else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  double threshold = 0.02; ///< smallest gain that counts
  /// Recipes that won on kernels of this shape, best first: the built-in search starts with them. Settled when the run
  /// begins and journaled with it, so that what is remembered later does not change its path.
  std::vector<std::string> startRecipes;
  bool cold = false;     ///< neither checked-in variants nor what is remembered take part
  std::string adequacy;  ///< how many mutants of the baseline the tests noticed: "22/24"; empty: not known
  std::string startFrom; ///< id of the candidate (--seed-from) that the built-in search transforms; empty: the baseline
};

} // namespace agentic
