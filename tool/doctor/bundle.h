// Packs helpful data for a bug report into one archive, without private data: no sources, no prompts and no replies;
// keys are removed, and home folder, user and host are replaced by "~", "user" and "host". A file that cannot be read
// leaves a note in its place.
#pragma once

#include "tool/base/error.h"
#include "tool/secrets/redaction.h"

#include <string>
#include <vector>

namespace agentic {

struct BundleRequest {
  std::string file;       ///< path of the archive, a .tar.gz; replaced whole or not at all
  std::string doctorJson; ///< results of the checks
  std::string buildDir;   ///< its manifests go in, if there are any
  std::string runDir;     ///< its journal and its agents' lists of calls go in; empty = no run
  Identity identity;      ///< the private data to remove
};

/// Writes the archive and returns the names of its files; "NAME.unreadable.txt" says why NAME is missing. Needs the
/// program tar. Errors: tar is missing; nothing can be written there.
Result<std::vector<std::string>> writeBundle(const BundleRequest &request);

} // namespace agentic
