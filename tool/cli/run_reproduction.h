// The command line that does a recorded run again.
#pragma once

#include "tool/model/run_config.h"

#include <string>
#include <vector>

namespace agentic {

struct ReproducedRun {
  std::string directory; ///< absolute; below the build tree's _agentic folder, unless it was copied
  std::string kernel, level, family;
  std::vector<std::string> agents; ///< as shown: of commands without their arguments
};

/// One line, quoted for a shell: the run's settings where they are not the default. What the journal holds as a text
/// and an option takes as a file is named in a comment behind it.
std::string reproductionCommand(const ReproducedRun &run, const RunConfig &config);

} // namespace agentic
