// Identity of built programs: what their behaviour depends on, as one hash.
#pragma once

#include "tool/base/error.h"

#include <string>
#include <vector>

namespace agentic {

struct ProgramIdentity {
  std::string key; ///< hash of the programs and of the shared libraries below `tree` that they load
  std::vector<std::string> libraryFolders; ///< run paths of theirs that exist, without the system's
};

/// Contents are hashed once per path and stamp (fileStamp); the results are kept in `cacheFile`.
Result<ProgramIdentity> identifyPrograms(const std::vector<std::string> &programs, const std::string &tree,
                                         const std::string &cacheFile);

} // namespace agentic
