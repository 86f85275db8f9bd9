// Identifies built programs: hashes everything that their behaviour depends on.
#pragma once

#include "tool/base/error.h"

#include <string>
#include <vector>

namespace agentic {

struct ProgramIdentity {
  std::string key; ///< hash of the programs and of the shared libraries below `tree` that they load
  std::vector<std::string> libraryFolders; ///< their run paths that exist, without the system's
};

/// Identifies programs. Contents are hashed once per path and stamp (fileStamp); `cacheFile` keeps the results.
Result<ProgramIdentity> identifyPrograms(const std::vector<std::string> &programs, const std::string &tree,
                                         const std::string &cacheFile);

} // namespace agentic
