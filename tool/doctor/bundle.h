// What helps to understand a bug, in one archive, without what is private: no sources, no prompts and no replies; keys
// are taken out, and home folder, user and host are replaced by "~", "user" and "host". A file that cannot be read
// leaves a note in its place.
#pragma once

#include "tool/base/error.h"
#include "tool/secrets/redaction.h"

#include <string>
#include <vector>

namespace agentic {

struct BundleRequest {
  std::string file;       ///< of the archive, a .tar.gz; replaced whole or not at all
  std::string doctorJson; ///< what the checks said
  std::string buildDir;   ///< its manifests go in, if there are any
  std::string runDir;     ///< its journal and its agents' lists of calls go in; empty = no run
  Identity identity;      ///< what is taken out
};

/// Names of what it holds; "NAME.unreadable.txt" says why NAME is not there. Needs the program tar. Errors: it is
/// missing; nothing can be written there.
Result<std::vector<std::string>> writeBundle(const BundleRequest &request);

} // namespace agentic
