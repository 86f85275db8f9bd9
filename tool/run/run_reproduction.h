// Makes the command line that repeats a recorded run.
#pragma once

#include "tool/model/run_config.h"

#include <string>
#include <vector>

namespace agentic {

struct ReproducedRun {
  std::string directory; ///< absolute; below the build tree's _agentic folder, unless it was copied
  std::string kernel, level, family;
  std::vector<std::string> agents; ///< as shown: commands without their arguments
};

/// Returns one line, quoted for a shell: the run's settings that differ from the default. A setting that the journal
/// holds as text and an option takes as a file is named in a comment at its end.
std::string reproductionCommand(const ReproducedRun &run, const RunConfig &config);

} // namespace agentic
