// What helps to understand a bug, in one archive, without what is private: no sources, no prompts and no replies; keys
// are taken out, and home folder, user and host are replaced by "~", "user" and "host".
#pragma once

#include "tool/base/error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

struct BundleRequest {
  std::string file;                     ///< of the archive, a .tar.gz; replaced whole or not at all
  std::string doctorJson;               ///< what the checks said
  std::string buildDir;                 ///< its manifests go in, if there are any
  std::string runDir;                   ///< its journal and list of calls go in; empty = no run
  std::vector<std::string> environment; ///< "NAME=value": where keys, home folder and user are told from
  std::string host;
};

/// Names of what it holds. Needs the program tar. Errors: it is missing; nothing can be written there.
Result<std::vector<std::string>> writeBundle(const BundleRequest &request);

} // namespace agentic
