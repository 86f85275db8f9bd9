// Reads what the sampler (tool/runner/sampler.cpp) left of a process.
#pragma once

#include "tool/base/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace agentic {

struct ProcessSamples {
  std::string program;     ///< path of what it executed
  std::uint64_t taken = 0; ///< all samples; of very many only a part was kept, at random
  std::uint64_t kept = 0;
  bool endedEarly = false;  ///< the program handles the sampler's signal itself
  bool lacksTimers = false; ///< the system refused some thread a timer
  /// Samples that were kept: (file, offset in it) → how many. "[vdso]" and the like, or empty, for what is in no file.
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> places;
};

/// Parses a file of the sampler. A program can have written anything there: sizes and lines are checked. Errors: it is
/// no such file. Pure.
Result<ProcessSamples> parseSamples(std::string_view bytes);

} // namespace agentic
